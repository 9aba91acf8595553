/** Items that are marked as passing while a check fails: repairing them comes before any other item. */
import { featuresOf } from './standing.ts';
import { topFrame, type Loop } from './loop.ts';

/** How many items were marked since the checks last passed, if a check fails now. */
export function unprovenItems(loop: Loop): number {
  const frame = topFrame(loop);
  const proof = loop.last?.features ?? featuresOf(frame)?.begun;
  if (proof?.is !== 'read') return 0;
  const fails = loop.last?.proofs.some(({ outcome }) => outcome.is !== 'passed') === true;
  return fails ? Math.max(0, proof.facts.passing - frame.itemsPassing) : 0;
}
