/** The loop asks a person: for an approval, for an answer, or to confirm that the task is done. It then waits. */
import { hasEnded, type Request } from '../../core/loop.ts';
import type { RequestFields } from '../../core/record/events.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import {
  ANSWER_MS,
  MOST_OPEN,
  nextRequestId,
  openFor,
  openRequestsOf,
  WHAT_LIMIT,
  WHY_LIMIT,
} from '../../core/waiting/requests.ts';
import { headOf, harmless } from '../../core/words/sanitize.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { title } from '../../text/to-person.ts';
import { updateRequests } from './open-requests.ts';
import type { Verdict } from '../../core/record/verdict.ts';
import type { Stop } from '../../core/stop.ts';

export type AskedRequest = { readonly ok: true; readonly request: Request } | Refusal;

/** The same call, asked twice, is one request. Two processes that ask at once get two ids, or one for the same call. */
export function ask(open: OpenLoop, fields: RequestFields, runtime: Runtime): AskedRequest {
  const { kind, why } = fields;
  const what = { ...fields.what, text: headOf(fields.what.text, WHAT_LIMIT) };
  for (let loop = open.look(); ;) {
    if (hasEnded(loop)) return refuse('ended', `Loop ${title(loop)} has ended.`, 'Nobody is asked any more.');
    const same = what.digest === null ? null : openFor(loop, what.digest);
    if (same !== null) return { ok: true, request: same };
    if (openRequestsOf(loop).length >= MOST_OPEN)
      return refuse('too-many', `${MOST_OPEN} requests are open already.`, 'dacapo approvals lists them.');
    const id = nextRequestId(loop);
    const at = runtime.now();
    const expires = new Date(Date.parse(at) + (loop.people.approvals?.timeoutMs ?? ANSWER_MS)).toISOString();
    loop = open.write({ type: 'requested', at, id, kind, what, why: headOf(why, WHY_LIMIT), expires });
    const request = loop.people.requests.find((one) => one.id === id);
    // Another process may have asked something else under this id, a moment before.
    if (request === undefined || request.what.text !== what.text || request.what.digest !== what.digest)
      continue;
    updateRequests(open, runtime);
    return { ok: true, request };
  }
}

const PROMISE = /<promise>[^]*?<\/promise>/gi;

type Asks = NonNullable<Extract<Verdict, { is: 'allow' }>['asks']>;

/** At a stop: the agent asks a question, or a person confirms the completion. The agent's last words tell why. */
export function askAtStop(open: OpenLoop, { kind, text }: Asks, stop: Stop, runtime: Runtime): void {
  // The tag holds the question or the claim, which the request says itself.
  const why = harmless(stop.message.replace(PROMISE, '')).trim();
  ask(open, { kind, what: { tool: null, digest: null, text }, why }, runtime);
}
