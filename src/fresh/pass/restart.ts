/** A host that does not start any more, although it did before in this run. */
import type { Outcome } from '../../hosts/headless.ts';
import type { PassRecord } from '../../hosts/stream.ts';

type Ended = Exclude<Outcome, { is: 'broken-off' }>;

/**
 * A host that never starts has a wrong set-up, and a person has to mend it. One that started before has the same set-up, so
 * its program is probably being replaced: hosts update themselves, also at night. A later try may find it whole again.
 */
export function retryStart(outcome: Ended, { model }: PassRecord, hasStarted: boolean): Ended {
  if (!hasStarted || model !== null || outcome.is !== 'fatal' || outcome.kind !== 'config') return outcome;
  return { is: 'crashed', exit: null, signal: null, why: `it does not start any more: ${outcome.why}` };
}
