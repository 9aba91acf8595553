/**
 * The law: how a stop of a live loop is judged. The rules apply in order, and the first that gives a verdict decides.
 * Rules 1 to 5 need no judgement (no loop is live, or the stop was judged already): the hearing applies them.
 */
import { sayStalls } from './words/stalls.ts';
import { topFrame, workedMs, type Frame, type Loop } from './loop.ts';
import { questioned } from './news.ts';
import type { Stop } from './stop.ts';
import type { Facts } from './standing.ts';
import type { Verdict } from './record/verdict.ts';

/** Background agents are waited for this long at most: a stuck one must not hold a loop all night. */
const AGENTS_HOLD_MS = 10 * 60_000;
/** A shell is more often a server than a build. */
const SHELLS_HOLD_MS = 60_000;

/** What the rules before any proof may look at. */
interface Arrived {
  readonly loop: Loop;
  readonly frame: Frame;
  readonly stop: Stop;
  readonly now: string;
}

interface Case extends Arrived, Facts {}

const BEFORE_PROOF: readonly ((arrived: Arrived) => Verdict | null)[] = [peopleFirst, stale, notBegun];
const UNDONE: readonly ((judged: Case) => Verdict | null)[] = [
  distress,
  outOfTime,
  outOfBudget,
  stuck,
  background,
  iterationsUsedUp,
];
const LAW: readonly ((judged: Case) => Verdict | null)[] = [...BEFORE_PROOF, veto, complete, ...UNDONE];

/** Judges the frame at work. What its end means for the frames around it, `nesting.ts` says. */
export function decide(loop: Loop, facts: Facts, now: string): Verdict {
  const judged = { loop, frame: topFrame(loop), ...facts, now };
  return firstVerdict(LAW, judged) ?? goOn(judged);
}

/** Whether this stop is to be proven at all: people and staleness come first. */
export function wantsProof(loop: Loop, stop: Stop, now: string): boolean {
  return firstVerdict(BEFORE_PROOF, { loop, frame: topFrame(loop), stop, now }) === null;
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

/** Rule 7. A chain that goes on is alive however long its pass took; only a new one can revive something dead. */
function stale({ loop, stop, now }: Arrived): Verdict | null {
  const newChain = stop.prompt !== loop.chain && loop.status.is !== 'waiting';
  const idleMs = Date.parse(now) - Date.parse(loop.activeAt);
  return newChain && idleMs > loop.staleMs ? { is: 'exhaust', limit: 'staleness', missing: [] } : null;
}

/** A frame that was pushed while the agent worked: its task is given first, and no iteration is spent. */
function notBegun(arrived: Arrived): Verdict | null {
  return arrived.frame.begun ? null : goingOn(arrived.loop, arrived.stop);
}

/** Rule 8. Where any gate is enough and one holds, the missing proof is not needed; a veto stands all the same. */
function veto({ standing: { trouble, holds, missing } }: Case): Verdict | null {
  if (trouble === null || (trouble.is !== 'vetoed' && holds)) return null;
  return { is: 'escalate', why: trouble, missing };
}

/** Rule 10. Where nothing has changed the agent is questioned, once, and only where it may go on. */
function complete(judged: Case): Verdict | null {
  const { loop, stop, standing, unchanged } = judged;
  if (!standing.done) return null;
  if (!unchanged) return { is: 'complete' };
  if (loop.questioned || firstVerdict(UNDONE, judged) !== null) return { is: 'complete', unchanged };
  return { ...goingOn(loop, stop), missing: [questioned(loop, stop)] };
}

/** Rule 11. Together with the promise it is a contradiction: the agent is asked, not the person. */
function distress({ proofs: { said }, standing: { missing } }: Case): Verdict | null {
  if (!said?.distress || said.contradicted) return null;
  const { is, words } = said.distress;
  if (is === 'iterations' || is === 'items') return { is: 'exhaust', limit: is, missing };
  return { is: 'escalate', why: { is: is === 'escalate' ? 'asked' : is, words }, missing };
}

/** Rule 12. */
function outOfTime({ loop, now, standing: { missing } }: Case): Verdict | null {
  if (loop.timeMs === null || workedMs(loop, now) < loop.timeMs) return null;
  return { is: 'exhaust', limit: 'time', missing };
}

/** Rule 12. What all frames of a loop have used bounds them all. */
function outOfBudget({ loop, stop: { used }, standing: { missing } }: Case): Verdict | null {
  const { spent, costUsd, tokens } = loop;
  if (costUsd !== null && spent.costUsd + (used?.costUsd ?? 0) >= costUsd)
    return { is: 'exhaust', limit: 'cost', missing };
  if (tokens !== null && spent.tokens + (used?.tokens ?? 0) >= tokens)
    return { is: 'exhaust', limit: 'tokens', missing };
  return null;
}

/** Rule 12. The same at stop after stop, and nothing changed. A loop that waits for background work is not stuck. */
function stuck({ loop, stop, standing: { missing }, stalls }: Case): Verdict | null {
  const most = loop.circuit.half ? 2 : loop.stalls;
  if (loop.stalls === null || most === null || stalls < most || stop.background.length > 0) return null;
  return { is: 'exhaust', limit: 'stagnation', detail: sayStalls(stop, missing, stalls), missing };
}

/** Rule 13. Their reports reach the agent only after an allowed stop, and the host wakes the session for them. */
function background({ loop, stop, now }: Case): Verdict | null {
  const agents = stop.background.filter((task) => task.kind === 'agent');
  const shells = newShells(loop, stop);
  if (agents.length === 0 && shells.length === 0) return null;
  if (loop.hold !== null && Date.parse(now) >= Date.parse(loop.hold.until)) return null;
  const until = loop.hold?.until ?? later(now, agents.length > 0 ? AGENTS_HOLD_MS : SHELLS_HOLD_MS);
  return { is: 'allow', why: 'background', shells, until };
}

function later(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** A shell may be a server that never ends: it holds a loop once, and never a session that nobody can wake. */
function newShells(loop: Loop, stop: Stop): string[] {
  if (!stop.attended) return [];
  const shells = stop.background.filter((task) => task.kind === 'shell').map((task) => task.id);
  return shells.every((id) => loop.shellsHeld.includes(id)) ? [] : shells;
}

/** Rule 14. This stop ends a pass; with it, all that were allowed may be used. */
function iterationsUsedUp({ frame, standing: { missing } }: Case): Verdict | null {
  if (frame.iterations === null || frame.passes + 1 < frame.iterations) return null;
  return { is: 'exhaust', limit: 'iterations', missing };
}

/** Rule 15. */
function goOn({ loop, stop, standing: { missing } }: Case): Verdict {
  return { ...goingOn(loop, stop), missing };
}

export function goingOn(loop: Loop, stop: Stop): Extract<Verdict, { is: 'continue' }> {
  const shells = stop.background.filter((task) => task.kind === 'shell').map((task) => task.description);
  const streak = stop.toolUsed ? 0 : loop.streak;
  return {
    is: 'continue',
    missing: [],
    shells,
    capped: stop.cap !== null && streak >= stop.cap,
    popped: [],
    item: null,
  };
}
