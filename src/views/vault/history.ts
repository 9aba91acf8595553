/**
 * The history in a vault: ended passes and errors, from the journal. `Loop` does not keep them, so we gather them as the
 * record grows and keep the result. In a long loop we then read only the new events.
 */
import type { Event } from '../../core/record/events.ts';
import { fold } from '../../core/fold/index.ts';
import type { Loop } from '../../core/loop.ts';
import { sayEscalation } from '../../core/words/phrases.ts';
import { isRecord, parseAs } from '../../core/shape.ts';
import { LOOP_VERSION } from '../../core/record/versions.ts';
import { readEvidence } from '../../store/evidence.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { MOST_SHOWN, readVaultFile, type ErrorRecord, type PassRecord } from './format.ts';

/** The copy of an adopted state file: its passes come before ours. */
export const ADOPTED_STATE = 'adopted-state.json';

export interface VaultHistory {
  readonly iterations: readonly PassRecord[];
  readonly errors: readonly ErrorRecord[];
}

interface Gathered extends VaultHistory {
  readonly version: number;
  readonly upTo: number;
  readonly loop: Loop | null;
}

export function historyOf(open: OpenLoop): VaultHistory {
  const known = readGathered(open) ?? { version: LOOP_VERSION, upTo: 0, loop: null, ...historyBefore(open) };
  if (known.upTo === open.journal.end()) return known;
  const { events, upTo } = open.journal.read(known.upTo);
  const gathered = events.reduce<Gathered>(gather, { ...known, upTo });
  open.blobs.write(KEPT_AS, JSON.stringify(gathered));
  return gathered;
}

function gather(known: Gathered, event: Event): Gathered {
  const { loop: before } = known;
  const loop = fold(before, event);
  const pass = before === null || loop === null ? null : passOf(before, loop, event);
  const news = event.type === 'faulted' || loop?.status !== before?.status;
  const error = loop === null || !news ? null : errorOf(loop, event);
  return {
    ...known,
    loop,
    iterations: added(known.iterations, pass),
    errors: added(known.errors, error),
  };
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

function added<T>(items: readonly T[], item: T | null): readonly T[] {
  return item === null ? items : [...items, item].slice(-MOST_SHOWN);
}

function historyBefore(open: OpenLoop): VaultHistory {
  const state = readVaultFile(readEvidence(open.blobs, ADOPTED_STATE) ?? '');
  return state.ok ? state : { iterations: [], errors: [] };
}

/** This only saves time, like the cache of the fold. We alone write it, and whole, so its version tells its shape. */
const KEPT_AS = 'views/account';

function readGathered({ blobs }: OpenLoop): Gathered | null {
  return parseAs(isGathered, blobs.read(KEPT_AS) ?? '');
}

function isGathered(value: unknown): value is Gathered {
  return isRecord(value) && value['version'] === LOOP_VERSION;
}
