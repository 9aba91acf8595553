/**
 * The circuit breaker (rule 12): an agent that shows the same at stop after stop, and changes nothing, is not worth
 * another pass. Closed, it counts. Open, the loop is stuck. Half open (a person resumed it, or time passed), one more
 * stop of the same opens it at once, and any change closes it.
 */
import { isOpen, mayStall, type Loop } from './loop.ts';
import type { Standing } from './standing.ts';
import type { Stop } from './stop.ts';
import type { CheckOutcome, CheckProof } from './record/verdict.ts';

/** Whether only a mark of the work tree can tell. Without a tool call nothing can have changed. */
export function wantsMark(
  loop: Loop,
  stop: Stop,
  checks: readonly CheckProof[],
  standing: Standing,
): boolean {
  return stop.toolUsed && showsSame(loop, stop, checks, standing);
}

/**
 * How many stops in a row, with this one, have shown the same. `tree`: the mark of the work tree, where one was wanted.
 * A tool call that came to light too late is seen at the next stop, and begins the count again there.
 */
export function stallsAt(
  loop: Loop,
  stop: Stop,
  checks: readonly CheckProof[],
  standing: Standing,
  tree: string | null,
): number {
  const { circuit } = loop;
  const still = !stop.toolUsed || (tree !== null && tree === circuit.tree);
  return still && showsSame(loop, stop, checks, standing) ? circuit.times + 1 : 1;
}

function showsSame(
  loop: Loop,
  stop: Stop,
  checks: readonly CheckProof[],
  { done, missing }: Standing,
): boolean {
  if (loop.last === null || done || !mayStall(loop, stop.toolUsed)) return false;
  const { verdict, proofs } = loop.last;
  const before = JSON.stringify(['missing' in verdict ? verdict.missing : null, failures(proofs)]);
  return before === JSON.stringify([missing, failures(checks)]);
}

/** Times, counts and addresses in an output differ from run to run; a change of the work is seen in its tree. */
function failures(checks: readonly CheckProof[]): CheckOutcome[] {
  return checks.map(({ outcome }) =>
    'tail' in outcome ? { ...outcome, tail: outcome.tail.replace(/\d+/g, '0') } : outcome,
  );
}

/** How long a circuit stays open before time alone half-opens it: what was in the way elsewhere may be over by then. */
const COOL_MS = 30 * 60_000;

/** For a driver that can wait: when it may resume a stuck loop by itself. Null: it is not open. */
export function halfOpensAt(loop: Loop): string | null {
  if (!isOpen(loop) || loop.last === null) return null;
  return new Date(Date.parse(loop.last.at) + COOL_MS).toISOString();
}
