/**
 * The circuit breaker (rule 12). It ends a loop whose agent shows the same result at stop after stop and
 * changes nothing, or that goes in circles or away from its goals. Closed, it counts. Open, the loop is
 * stuck. Half open (a person resumed the loop, or time passed), one more identical stop opens it at once, and
 * any change closes it.
 */
import { isCircuitOpen, iterationsInAll, mayStall, type Loop } from './loop.ts';
import type { Facts } from './stop.ts';
import type { CheckOutcome, CheckProof } from './record/verdict.ts';

interface StopFacts extends Pick<Facts, 'stop' | 'proofs' | 'standing'> {
  readonly loop: Loop;
}

/** Whether a mark of the work tree is needed to decide. Without a tool call nothing can have changed. */
export function wantsMark(shown: StopFacts): boolean {
  return shown.stop.toolUsed && showsSame(shown);
}

/**
 * How many stops in a row, including this one, have shown the same result. `tree`: the mark of the work tree,
 * if one was wanted. If the transcript reports a tool call late, the next stop sees it and the count begins
 * again there.
 */
export function stallsAt(shown: StopFacts, tree: string | null): number {
  const { circuit, limits } = shown.loop;
  const still = !shown.stop.toolUsed || (tree !== null && tree === circuit.tree);
  if (still && showsSame(shown)) return circuit.times + 1;
  if (!shown.proofs.trend?.drift) return 1;
  // It cost a pass and led away from the goal, so it counts as two that led nowhere. The first one never ends
  // the loop: the agent has to hear of it before.
  const most = driftOf(shown.loop) === null && !circuit.half ? (limits.stalls ?? Infinity) - 1 : Infinity;
  return Math.min(circuit.times + 2, most);
}

function showsSame({ loop, stop, proofs: { checks }, standing: { done, missing } }: StopFacts): boolean {
  if (loop.last === null || done || !mayStall(loop, stop.toolUsed)) return false;
  const { verdict, proofs } = loop.last;
  const before = JSON.stringify(['missing' in verdict ? verdict.missing : null, failures(proofs)]);
  return before === JSON.stringify([missing, failures(checks)]);
}

/**
 * Ignores numbers in an output: times, counts and addresses differ from run to run. The mark of the work tree
 * shows real changes.
 */
export function failures(checks: readonly CheckProof[]): CheckOutcome[] {
  return checks.map(({ outcome }) =>
    'tail' in outcome ? { ...outcome, tail: outcome.tail.replace(/\d+/g, '0') } : outcome,
  );
}

/** How long a circuit stays open before time alone half-opens it. An outside obstacle may be gone by then. */
const COOL_MS = 1_800_000;

/** When a driver that can wait may resume a stuck loop by itself. Null: the circuit is not open. */
export function halfOpensAt(loop: Loop): string | null {
  // Nothing outside is in the way of an agent that goes in circles.
  if (!isCircuitOpen(loop) || loop.last === null || driftOf(loop) !== null) return null;
  return new Date(Date.parse(loop.last.at) + COOL_MS).toISOString();
}

/** Why the last pass was no progress: it circled, or got worse. Null: it may have been. */
export function driftOf(loop: Pick<Loop, 'circuit' | 'frame' | 'around'>): string | null {
  const { trend } = loop.circuit;
  return trend?.iteration === iterationsInAll(loop) ? trend.drift : null;
}
