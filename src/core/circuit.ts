/**
 * The circuit breaker (design law 12): an agent that shows the same at stop after stop, and changes nothing, is not
 * worth another pass. Closed it counts, open the loop is stuck, half open (a person said so, or time did) one more of the
 * same opens it at once, and any change closes it.
 */
import type { CheckOutcome, CheckProof, Missing, Verdict } from './verdict.ts';
import { few } from './abbreviate.ts';
import type { Circuit, Loop } from './loop.ts';
import { sayMissing } from './phrases.ts';
import type { Overrun, Proofs, Stop } from './stop.ts';

const NAMED = 6;

export const CLOSED: Circuit = { times: 0, tree: null, half: false };

export function isOpen({ status }: Pick<Loop, 'status'>): boolean {
  return status.is === 'stuck' && status.limit === 'stagnation';
}

/**
 * Whether this stop may show that the work stands still. What leads to a mere promise may lie anywhere, so there a tool
 * call counts as a change, unless the limit was asked for by name.
 */
export function mayStall({ stalls, stallsAsked, frames, last }: Loop, { toolUsed }: Stop): boolean {
  return (
    stalls !== null &&
    last !== null &&
    (!toolUsed ||
      stallsAsked ||
      frames.at(-1)?.gates.some(({ kind }) => kind !== 'promise' && kind !== 'signal') === true)
  );
}

function missingIn(verdict: Verdict): readonly Missing[] | null {
  return 'missing' in verdict ? verdict.missing : null;
}

/** Whether only a mark of the work tree can tell. Without a tool call nothing can have changed. */
export function wantsTree(loop: Loop, stop: Stop, proofs: Proofs, verdict: Verdict): boolean {
  return stop.toolUsed && showsSame(loop, stop, proofs, verdict);
}

/**
 * How many stops in a row, with this one, have shown the same. A tool call that came to light too late is seen at the next
 * stop, and begins the count anew there.
 */
export function stallsAt(
  loop: Loop,
  stop: Stop,
  proofs: Proofs,
  verdict: Verdict,
  tree: string | null,
): number {
  const { circuit } = loop;
  const still = !stop.toolUsed || (tree !== null && tree === circuit.tree);
  return still && showsSame(loop, stop, proofs, verdict) ? circuit.times + 1 : 1;
}

function showsSame(loop: Loop, stop: Stop, { checks }: Proofs, verdict: Verdict): boolean {
  const missing = missingIn(verdict);
  if (loop.last === null || missing === null || !mayStall(loop, stop)) return false;
  const before = JSON.stringify([missingIn(loop.last.verdict), failures(loop.last.proofs)]);
  return before === JSON.stringify([missing, failures(checks)]);
}

/** Times, counts and addresses in an output differ from run to run; a change of the work is seen in its tree. */
function failures(checks: readonly CheckProof[]): CheckOutcome[] {
  return checks.map(({ outcome }) =>
    'tail' in outcome ? { ...outcome, tail: outcome.tail.replace(/\d+/g, '0') } : outcome,
  );
}

/** Whoever waits for background work does not stand still. */
export function stagnation(
  { circuit, stalls }: Loop,
  stop: Stop,
  verdict: Verdict,
  times: number,
): Overrun | null {
  const missing = missingIn(verdict);
  if (stalls === null || missing === null || stop.background.length > 0) return null;
  if (times < (circuit.half ? 2 : stalls)) return null;
  const still = stop.toolUsed ? 'nothing changed in the work tree' : 'no tool was called';
  const detail = `${few(missing, sayMissing, NAMED).join('; ')}: the same at ${times} stops in a row, and ${still}`;
  return { limit: 'stagnation', detail };
}

/** How long a circuit stays open before time alone half-opens it: what was in the way elsewhere may be over by then. */
const COOL_MS = 30 * 60_000;

/** For a driver that can wait: when it may resume a stuck loop by itself. Null: it is not open. */
export function halfOpensAt(loop: Loop): string | null {
  if (!isOpen(loop) || loop.last === null) return null;
  return new Date(Date.parse(loop.last.at) + COOL_MS).toISOString();
}
