/**
 * The law: how a stop of a live loop is judged. The rules apply in order, and the first that gives a verdict
 * decides. Rules 1 to 5 need no judgement (no loop is live, or the stop was judged already); the hearing
 * applies them. Nothing here writes, so any caller may ask how a stop would be judged.
 */
import { holdFor, holdForChecks, inDistress, inDoubt, waitForAnswer, waitToConfirm } from './waiting/hold.ts';
import { sayStalls } from './words/check-outcomes.ts';
import {
  isAwaitingAnswer,
  isPlain,
  isStale,
  spentWith,
  workedMs,
  type Frame,
  type Loop,
  mayStall,
} from './loop.ts';
import { isAskedEnough, questioned, whenHeld } from './proof/news.ts';
import type { Facts, Proofs, Standing, Stop } from './stop.ts';
import { standingOf } from './standing.ts';
import type { ContinueVerdict, Missing, Verdict } from './record/verdict.ts';
import { stallsAt } from './circuit.ts';
import { itemsWanted, settleFrames, type ItemsSeen, type ItemsWanted } from './nesting.ts';

interface Arrived {
  readonly loop: Loop;
  readonly frame: Frame;
  readonly stop: Stop;
  readonly now: string;
}

interface Case extends Arrived, Facts {}

const BEFORE_PROOF: readonly ((arrived: Arrived) => Verdict | null)[] = [peopleFirst, stale, notBegun];
/** A stop that only waits needs no proof either, but a veto comes first. */
const WITHOUT_PROOF = [...BEFORE_PROOF, unanswered];
const UNDONE: readonly ((judged: Case) => Verdict | null)[] = [
  distress,
  outOfTime,
  notYet,
  outOfBudget,
  stuck,
  background,
  iterationsUsedUp,
];
const LAW: readonly ((judged: Case) => Verdict | null)[] = [
  ...BEFORE_PROOF,
  veto,
  unanswered,
  complete,
  ...UNDONE,
];

/** Judges the frame at work. `nesting.ts` decides what its end means for the frames around it. */
export function decide(loop: Loop, facts: Facts, now: string): Verdict {
  const judged = { loop, frame: loop.frame, ...facts, now };
  // Rule 15.
  return firstVerdict(LAW, judged) ?? continueWith(loop, facts.stop, facts.standing.missing);
}

/** Whether this stop needs proofs at all. Queued input, staleness and an open request are decided without. */
export function wantsProof(loop: Loop, stop: Stop, now: string): boolean {
  return firstVerdict(WITHOUT_PROOF, { loop, frame: loop.frame, stop, now }) === null;
}

function firstVerdict<C>(rules: readonly ((judged: C) => Verdict | null)[], judged: C): Verdict | null {
  for (const rule of rules) {
    const verdict = rule(judged);
    if (verdict !== null) return verdict;
  }
  return null;
}

/** Rule 6. */
function peopleFirst({ stop }: Arrived): Verdict | null {
  return stop.queue.waiting > 0 ? { is: 'allow', why: 'queue', shells: [], until: null } : null;
}

/**
 * Rule 7. A chain that continues is alive, however long its pass took. Only a new chain can be stale. If the
 * host names no prompts, a stop that follows no refused one may be the first of a new chain.
 */
function stale({ loop, stop, now }: Arrived): Verdict | null {
  const newChain =
    loop.status.is !== 'waiting' &&
    (stop.prompt === null ? !stop.continuedByHook : stop.prompt !== loop.session.chain);
  return newChain && isStale(loop, now) ? { is: 'exhaust', limit: 'staleness', missing: [] } : null;
}

/** A frame was pushed while the agent worked. The agent gets its task first, and no iteration is spent. */
function notBegun(arrived: Arrived): Verdict | null {
  return arrived.frame.promptGiven ? null : continueWith(arrived.loop, arrived.stop, []);
}

/**
 * Rule 8. If any gate is enough and one holds, a proof that could not be taken is not needed. A veto still
 * counts.
 */
function veto({ standing: { trouble, holds, missing } }: Case): Verdict | null {
  if (trouble === null || (trouble.is !== 'vetoed' && holds)) return null;
  return { is: 'escalate', why: trouble, missing };
}

/** Rule 9. A person was asked. The answer wakes the loop, and the stop spends nothing. */
function unanswered({ loop }: Arrived): Verdict | null {
  return isAwaitingAnswer(loop) ? waitForAnswer() : null;
}

/**
 * Rule 10. A person resolves a doubt. If nothing has changed, the agent is questioned once, and only if it
 * may continue.
 */
function complete(judged: Case): Verdict | null {
  const { loop, stop, standing, unchanged } = judged;
  const { done, doubt } = standing;
  if (!done) return null;
  if (doubt !== null) return inDoubt(loop, doubt);
  if (!unchanged) return { is: 'complete' };
  if (isAskedEnough(loop) || firstVerdict(UNDONE, judged) !== null) return { is: 'complete', unchanged };
  return continueWith(loop, stop, [questioned(loop, stop)]);
}

/** Rule 11. Most stops have none, and never load the code that decides about it. */
function distress({ proofs: { said }, standing: { missing } }: Case): Verdict | null {
  return said?.distress && !said.contradicted ? inDistress(said.distress, missing) : null;
}

/** Rule 12. */
function outOfTime({ loop, now, standing: { missing } }: Case): Verdict | null {
  if (loop.limits.timeMs === null || workedMs(loop, now) < loop.limits.timeMs) return null;
  return { is: 'exhaust', limit: 'time', missing };
}

/** Rule 12, before the budget: waiting for a check takes time, and costs nothing. */
function notYet(judged: Case): Verdict | null {
  return judged.proofs.checks.length === 0 ? null : holdForChecks(judged);
}

/** Rule 12. The budget covers all frames of a loop together. */
function outOfBudget({ loop, stop: { used }, standing: { missing } }: Case): Verdict | null {
  const { costUsd, tokens } = loop.limits;
  if (costUsd === null && tokens === null) return null;
  const spent = spentWith(loop, used);
  if (costUsd !== null && spent.costUsd >= costUsd) return { is: 'exhaust', limit: 'cost', missing };
  if (tokens !== null && spent.tokens >= tokens) return { is: 'exhaust', limit: 'tokens', missing };
  return null;
}

/**
 * Rule 12. Stop after stop showed the same result and nothing changed, or led in circles or away from the
 * goals. A loop that waits for background work is not stuck.
 */
function stuck(judged: Case): Verdict | null {
  const { loop, stop, standing, stalls } = judged;
  if (loop.limits.stalls === null || stop.background.length > 0) return null;
  if (stalls < (loop.circuit.half ? 2 : loop.limits.stalls)) return null;
  return { is: 'exhaust', limit: 'stagnation', detail: sayStalls(judged), missing: standing.missing };
}

/** Rule 13. Most stops have no background work and never load the code that decides about it. */
function background({ loop, stop, now }: Case): Verdict | null {
  return stop.background.length === 0 ? null : holdFor(loop, stop, now);
}

/** Rule 14. This stop ends a pass, and that pass may be the last one allowed. */
function iterationsUsedUp({ frame, standing: { missing } }: Case): Verdict | null {
  if (frame.iterations === null || frame.passes + 1 < frame.iterations) return null;
  return { is: 'exhaust', limit: 'iterations', missing };
}

function continueWith(loop: Loop, stop: Stop, missing: readonly Missing[]): ContinueVerdict {
  const shells = stop.background.filter((task) => task.kind === 'shell').map((task) => task.description);
  const streak = stop.toolUsed && stop.toolResetsCap ? 0 : loop.session.streak;
  return {
    is: 'continue',
    missing,
    shells,
    capped: stop.cap !== null && streak >= stop.cap,
    popped: [],
    item: null,
  };
}

export interface Ruling {
  /** On the whole loop; on the frame at work alone while `wants` is set. */
  readonly verdict: Verdict;
  /** The list of items that the verdict still depends on: read it, then call `withItems`. */
  readonly wants: ItemsWanted | null;
}

/**
 * `tree`: the mark of the work tree, if `wantsMark` or `wantsFirstMark` asked for one. `stands`: how the
 * frame stands with these proofs, if already known, before anybody confirmed it.
 */
export function factsOf(
  loop: Loop,
  stop: Stop,
  proofs: Proofs,
  tree: string | null,
  stands: Standing = standingOf(loop.frame, proofs),
): Facts {
  // Most stops are not done, so they never load the search for changes.
  const { standing, unchanged } = stands.done
    ? whenHeld(loop, stop, tree, stands)
    : { standing: stands, unchanged: false };
  const stalls = mayStall(loop, stop.toolUsed) ? stallsAt({ loop, stop, proofs, standing }, tree) : 1;
  return { stop, proofs, standing, tree, stalls, unchanged };
}

export function judge(loop: Loop, facts: Facts, now: string): Ruling {
  const verdict = decide(loop, facts, now);
  // Most loops have one frame and no list, so they never load the code that settles frames.
  if (isPlain(loop)) return ruled(loop, verdict);
  const wants = itemsWanted(loop, verdict);
  return wants === null
    ? ruled(loop, settleFrames(loop, verdict, null, continueWith(loop, facts.stop, [])))
    : { verdict, wants };
}

/** The ruling on the whole loop, given the list that `judge` wanted. */
export function withItems(loop: Loop, { stop }: Facts, { verdict }: Ruling, items: ItemsSeen): Ruling {
  return ruled(loop, settleFrames(loop, verdict, items, continueWith(loop, stop, [])));
}

/** Rule 10: with `--approve-done` a person confirms that the whole loop is done, and until then it waits. */
function ruled(loop: Loop, verdict: Verdict): Ruling {
  const asks = verdict.is === 'complete' && loop.people.approvals?.done;
  return { verdict: asks ? waitToConfirm() : verdict, wants: null };
}
