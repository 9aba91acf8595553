/** What the row of a loop shows of its record: whoever writes events writes this with them. */
import type { StatusWord } from '../core/loop.ts';
import { requestsOf, type OpenRequest } from '../operations/requests/answer.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { report, type Report } from '../text/report.ts';

export interface RowSummary {
  readonly status: StatusWord;
  readonly report: Report;
  readonly requests: readonly OpenRequest[];
}

export function summaryOf(open: OpenLoop, runtime: Runtime): RowSummary {
  const loop = open.look();
  // No session is awaited: the next worker goes on.
  const told = report({ ...loop, session: { ...loop.session, awaited: false } }, runtime.now());
  return { status: told.status, report: told, requests: requestsOf([loop], runtime) };
}
