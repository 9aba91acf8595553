/**
 * The history in a vault: ended passes and errors. `Loop` does not keep them, so they are folded out of the journal at each
 * rendering. Only loops with this view pay for that.
 */
import type { Event } from '../../core/record/events.ts';
import { fold } from '../../core/fold/index.ts';
import type { Loop } from '../../core/loop.ts';
import { sayEscalation } from '../../core/words/phrases.ts';
import { readEvidence } from '../../store/evidence.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { MOST_SHOWN, readVaultFile, type ErrorRecord, type PassRecord, type VaultFacts } from './format.ts';

/** The copy of an adopted state file: its passes come before ours. */
export const ADOPTED_STATE = 'adopted-state.json';

export function historyOf(open: OpenLoop): Pick<VaultFacts, 'iterations' | 'errors'> {
  const adopted = readVaultFile(readEvidence(open.blobs, ADOPTED_STATE) ?? '');
  const iterations = adopted.ok ? [...adopted.iterations] : [];
  const errors = adopted.ok ? [...adopted.errors] : [];
  let before: Loop | null = null;
  for (const event of open.journal.read(0).events) {
    const loop: Loop | null = fold(before, event);
    const pass = before === null || loop === null ? null : passOf(before, loop, event);
    const isNews = event.type === 'faulted' || loop?.status !== before?.status;
    const error = loop === null || !isNews ? null : errorOf(loop, event);
    if (pass !== null) iterations.push(pass);
    if (error !== null) errors.push(error);
    before = loop;
  }
  return { iterations: iterations.slice(-MOST_SHOWN), errors: errors.slice(-MOST_SHOWN) };
}

/** A voided verdict ended no pass, nor did a stop that was only let through. */
function passOf(before: Loop, loop: Loop, event: Event): PassRecord | null {
  if (event.type !== 'verdict' || loop.last === null || loop.last.n === before.last?.n) return null;
  const { verdict, iteration, at } = loop.last;
  const spent = verdict.is !== 'allow' && !(verdict.is === 'exhaust' && verdict.limit === 'staleness');
  if (!spent) return null;
  return {
    number: iteration,
    timestamp: at,
    output_preview: event.preview ?? '',
    completed: verdict.is === 'complete',
  };
}

function errorOf({ status }: Loop, event: Event): ErrorRecord | null {
  const timestamp = event.at;
  // The class comes first, because people sort by it.
  if (event.type === 'faulted')
    return { timestamp, message: `${event.fault}: ${event.detail}`, fatal: event.fault === 'fatal' };
  if (status.is === 'interrupted')
    return status.why === 'fault' ? { timestamp, message: status.detail, fatal: false } : null;
  if (status.is === 'aborted') return { timestamp, message: status.detail, fatal: true };
  return status.is === 'escalated' ? { timestamp, message: sayEscalation(status.why), fatal: true } : null;
}
