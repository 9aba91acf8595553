/**
 * The history in a vault: ended passes and errors, from the journal. `Loop` does not keep them, so we gather them as the
 * record grows and keep the result. In a long loop we then read only the new events.
 */
import type { Event } from '../../core/record/events.ts';
import { fold } from '../../core/fold/index.ts';
import { hash } from '../../core/hash.ts';
import { type Loop, LOOP_VERSION } from '../../core/loop.ts';
import { sayEscalation } from '../../core/words/phrases.ts';
import { record, text, whole } from '../../core/shape.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { keep, readCopy, readKept } from '../renderings.ts';
import { MOST_SHOWN, readVaultFile, type ErrorRecord, type IterationRecord } from './format.ts';

/** The copy of an adopted state file: its passes come before ours. */
export const ADOPTED_STATE = 'adopted-state.json';

export interface VaultHistory {
  readonly iterations: readonly IterationRecord[];
  readonly errors: readonly ErrorRecord[];
}

interface Gathered extends VaultHistory {
  readonly upTo: number;
  readonly loop: Loop | null;
}

export function historyOf(open: OpenLoop): VaultHistory {
  const known = readGathered(open) ?? { upTo: 0, loop: null, ...historyBefore(open) };
  if (known.upTo === open.journal.end()) return known;
  const { events, upTo } = open.journal.read(known.upTo);
  const gathered = events.reduce<Gathered>(gather, { ...known, upTo });
  keepGathered(open, gathered);
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
function passOf(before: Loop, loop: Loop, event: Event): IterationRecord | null {
  if (event.type !== 'verdict' || loop.last === null || loop.last.n === before.last?.n) return null;
  const { verdict, iteration, at } = loop.last;
  const spent = verdict.is !== 'allow' && !(verdict.is === 'exhaust' && verdict.limit === 'staleness');
  return spent ? { iteration, at, preview: event.preview ?? '', completed: verdict.is === 'complete' } : null;
}

function errorOf({ status }: Loop, event: Event): ErrorRecord | null {
  const { at } = event;
  // The class comes first, because people sort by it.
  if (event.type === 'faulted')
    return { at, message: `${event.fault}: ${event.detail}`, fatal: event.fault === 'fatal' };
  if (status.is === 'interrupted')
    return status.why === 'fault' ? { at, message: status.detail, fatal: false } : null;
  if (status.is === 'aborted') return { at, message: status.detail, fatal: true };
  return status.is === 'escalated' ? { at, message: sayEscalation(status.why), fatal: true } : null;
}

function added<T>(items: readonly T[], item: T | null): readonly T[] {
  return item === null ? items : [...items, item].slice(-MOST_SHOWN);
}

function historyBefore(open: OpenLoop): VaultHistory {
  const state = readVaultFile(readCopy(open, ADOPTED_STATE) ?? '');
  return state.ok ? state : { iterations: [], errors: [] };
}

/** The name under which we keep it. */
const KEPT_AS = 'account';
const heading = record({ version: whole, check: text });

function readGathered(open: OpenLoop): Gathered | null {
  const [head = '', body = ''] = (readKept(open, KEPT_AS) ?? '').split('\n');
  try {
    const value: unknown = JSON.parse(head);
    if (!heading(value) || value.version !== LOOP_VERSION || value.check !== hash(body)) return null;
    // The checksum and the version show that we wrote it, so its shape is known.
    return JSON.parse(body) as Gathered;
  } catch {
    return null;
  }
}

/** This only saves time, like the cache of the fold. */
function keepGathered(open: OpenLoop, gathered: Gathered): void {
  const body = JSON.stringify(gathered);
  keep(open, KEPT_AS, `${JSON.stringify({ version: LOOP_VERSION, check: hash(body) })}\n${body}\n`);
}
