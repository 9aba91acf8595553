/**
 * The pure half of a hearing: turns a loop and what was seen at a stop into a ruling. It writes nothing, so any caller
 * may ask how a stop would be judged.
 */
import { stallsAt } from './circuit.ts';
import { decide } from './decide.ts';
import { isPlain, mayStall, topFrame, type Loop } from './loop.ts';
import { isUnchanged } from './news.ts';
import { itemsWanted, settleFrames, type ItemsSeen, type ItemsWanted } from './nesting.ts';
import { standingOf, type Standing, type Facts } from './standing.ts';
import type { Proofs, Stop } from './stop.ts';
import { waitToConfirm } from './waiting/hold.ts';
import type { Verdict } from './record/verdict.ts';

export interface Ruling {
  /** On the whole loop; on the frame at work alone while `wants` is set. */
  readonly verdict: Verdict;
  /** The list of items that the verdict still depends on: read it, then call `withItems`. */
  readonly wants: ItemsWanted | null;
}

/**
 * `tree`: the mark of the work tree, if `wantsMark` or `wantsFirstMark` asked for one. `standing`: how the frame stands
 * with these proofs, if already known.
 */
export function factsOf(
  loop: Loop,
  stop: Stop,
  proofs: Proofs,
  tree: string | null,
  standing: Standing = standingOf(topFrame(loop), proofs),
): Facts {
  const stalls = mayStall(loop, stop.toolUsed) ? stallsAt(loop, stop, proofs.checks, standing, tree) : 1;
  // Most stops are not done, so they never load the search for changes.
  const unchanged = standing.done && isUnchanged(loop, stop, tree);
  return { stop, proofs, standing, tree, stalls, unchanged };
}

export function judge(loop: Loop, facts: Facts, now: string): Ruling {
  const verdict = decide(loop, facts, now);
  // Most loops have one frame and no list, so they never load the code that settles frames.
  if (isPlain(loop)) return ruled(loop, verdict);
  const wants = itemsWanted(loop, verdict);
  return wants === null ? ruled(loop, settleFrames(loop, facts.stop, verdict, null)) : { verdict, wants };
}

/** The ruling on the whole loop, given the list that `judge` wanted. */
export function withItems(loop: Loop, { stop }: Facts, { verdict }: Ruling, items: ItemsSeen): Ruling {
  return ruled(loop, settleFrames(loop, stop, verdict, items));
}

/** Rule 10: with `--approve-done` a person confirms that the whole loop is done, and until then it waits. */
function ruled(loop: Loop, verdict: Verdict): Ruling {
  const asks = verdict.is === 'complete' && loop.people.approvals?.done;
  return { verdict: asks ? waitToConfirm() : verdict, wants: null };
}
