/**
 * The pure half of a hearing: from a loop and what was seen at a stop to a ruling. It writes nothing, so anybody may ask
 * how a stop would be judged.
 */
import { stallsAt } from './circuit.ts';
import { decide } from './decide.ts';
import { isPlain, mayStall, topFrame, type Loop } from './loop.ts';
import { isUnchanged } from './news.ts';
import { itemsWanted, settleFrames, type ItemsSeen, type ItemsWanted } from './nesting.ts';
import { standingOf, type Standing, type Facts } from './standing.ts';
import type { Proofs, Stop } from './stop.ts';
import type { Verdict } from './record/verdict.ts';

export interface Ruling {
  /** On the whole loop, or on the frame at work alone while `wants` is open. */
  readonly verdict: Verdict;
  /** The list of items that the verdict still depends on: read it, then ask `withItems`. */
  readonly wants: ItemsWanted | null;
}

/** `tree`: the mark of the work tree, where `wantsMark` or `wantsFirstMark` asked for one. `standing`: how the frame stands with these proofs, where that is known. */
export function factsOf(
  loop: Loop,
  stop: Stop,
  proofs: Proofs,
  tree: string | null,
  standing: Standing = standingOf(topFrame(loop), proofs),
): Facts {
  const stalls = mayStall(loop, stop.toolUsed) ? stallsAt(loop, stop, proofs.checks, standing, tree) : 1;
  // Most stops are not done: they never load what looks for news.
  const unchanged = standing.done && isUnchanged(loop, stop, tree);
  return { stop, proofs, standing, tree, stalls, unchanged };
}

export function judge(loop: Loop, facts: Facts, now: string): Ruling {
  const verdict = decide(loop, facts, now);
  // Most loops have one frame and no list: they never load what settles frames.
  if (isPlain(loop)) return { verdict, wants: null };
  const wants = itemsWanted(loop, verdict);
  return { verdict: wants === null ? settleFrames(loop, facts.stop, verdict, null) : verdict, wants };
}

/** The ruling on the whole loop, with the list that `judge` wanted. */
export function withItems(loop: Loop, { stop }: Facts, { verdict }: Ruling, items: ItemsSeen): Ruling {
  return { verdict: settleFrames(loop, stop, verdict, items), wants: null };
}
