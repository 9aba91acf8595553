/** Before each start of a host: what an agent or a check wrote for it, and nobody agreed to, must not run. */
import { refusePlanted } from '../operations/trust/brought.ts';
import { showViews } from '../views/views.ts';
import type { Drive } from './options.ts';

/** The loop then needs a person. False: the pass may begin. */
export function stopIfPlanted({ open, run, runtime }: Drive): boolean {
  const planted = refusePlanted(open, run.host, runtime);
  if (planted === null) return false;
  const detail = `trust: ${planted.message}`;
  const fault = { fault: 'fatal', detail, until: null, evidence: null, used: null } as const;
  open.write({ type: 'faulted', at: runtime.now(), ...fault, attempt: 1 });
  showViews(open, runtime);
  open.keep();
  run.tell({ is: 'fault', class: 'fatal', why: detail });
  return true;
}
