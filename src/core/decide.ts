/**
 * The law (design §3): how a stop of a live loop is judged. Rules in order, the first that applies decides.
 * Rules 1 to 5 need no judgement (nothing is live, or the stop was judged already): the hearing applies them.
 */
import type { Escalation, Missing, Verdict } from './verdict.ts';
import { itemsPassing } from './features.ts';
import { checksOf, claimLine, gatesOf, promiseOf, type CheckGate } from './gates.ts';
import { topFrame, workedMs, type Frame, type Loop } from './loop.ts';
import type { Proofs, Stop } from './stop.ts';
import { sayOutcome } from './phrases.ts';

/** Background agents are waited for this long at most: a stuck one must not hold a loop all night. */
const AGENTS_HOLD_MS = 10 * 60_000;
/** A shell is more often a server than a build. */
const SHELLS_HOLD_MS = 60_000;

/** One stop before the law, with all that may be looked at. */
interface Case {
  readonly loop: Loop;
  readonly frame: Frame;
  readonly stop: Stop;
  readonly proofs: Proofs;
  readonly now: string;
}

/** What the gates are tested against. */
export type Seen = Pick<Case, 'frame' | 'proofs'>;

type Rule = (hearing: Case) => Verdict | null;

const BEFORE_PROOF: readonly Rule[] = [peopleFirst, stale, notBegun];
const LAW: readonly Rule[] = [
  ...BEFORE_PROOF,
  veto,
  complete,
  distress,
  outOfTime,
  overrun,
  background,
  iterationsUsedUp,
];

/** Judges the frame at work. What its end means for the frames around it, `around.ts` says. */
export function decide(loop: Loop, stop: Stop, proofs: Proofs, now: string): Verdict {
  const hearing = { loop, frame: topFrame(loop), stop, proofs, now };
  return firstVerdict(LAW, hearing) ?? goOn(hearing);
}

/** Whether this stop is to be proven at all: people and staleness come first. */
export function wantsProof(loop: Loop, stop: Stop, now: string): boolean {
  const proofs = { said: null, checks: [], sights: [], features: null, over: null };
  return firstVerdict(BEFORE_PROOF, { loop, frame: topFrame(loop), stop, proofs, now }) === null;
}

/** Which checks this stop wants run: all or none. `seen`: what was proven without them. */
export function checksWanted(loop: Loop, seen: Omit<Proofs, 'checks'>): readonly CheckGate[] {
  const frame = topFrame(loop);
  const known = { frame, proofs: { ...seen, checks: [] } };
  return (frame.require === 'any' ? !gatesHold(known) : isClaimed(known)) ? checksOf(frame) : [];
}

/** A claim is the promise, where one is asked for; also an item that is newly marked as passing. */
function isClaimed(known: Seen): boolean {
  const { frame, proofs } = known;
  // It will end in a person's hands, whatever the checks say.
  if (cannotBeProven(known) !== null) return false;
  return promiseMissing(known).length === 0 || (itemsPassing(proofs.features) ?? 0) > frame.itemsPassing;
}

function firstVerdict(rules: readonly Rule[], hearing: Case): Verdict | null {
  for (const rule of rules) {
    const verdict = rule(hearing);
    if (verdict !== null) return verdict;
  }
  return null;
}

/** Rule 6. */
function peopleFirst({ stop }: Case): Verdict | null {
  return stop.queue.waiting > 0 ? { is: 'allow', why: 'queue', shells: [], until: null } : null;
}

/** Rule 7. A chain that goes on is alive however long its pass took; only a new one can revive something dead. */
function stale({ loop, stop, now }: Case): Verdict | null {
  const newChain = stop.prompt !== loop.chain && loop.status.is !== 'waiting';
  const idleMs = Date.parse(now) - Date.parse(loop.activeAt);
  return newChain && idleMs > loop.staleMs ? { is: 'exhaust', limit: 'staleness', missing: [] } : null;
}

/** A frame that was pushed while the agent worked: its task is given first, and no iteration is spent. */
function notBegun(hearing: Case): Verdict | null {
  return hearing.frame.begun ? null : goingOn(hearing);
}

/** Rule 8. */
function veto(hearing: Case): Verdict | null {
  const why = cannotBeProven(hearing);
  // Where any gate is enough and one holds, a proof is not needed; a veto stands all the same.
  if (why === null || (why.is !== 'vetoed' && gatesHold(hearing))) return null;
  return { is: 'escalate', why, missing: stillMissing(hearing) };
}

function cannotBeProven({ proofs: { checks, sights } }: Seen): Escalation | null {
  for (const { gate, trouble } of sights)
    if (trouble !== null) return { is: gate === 'hooks' ? 'vetoed' : 'unreadable', why: trouble };
  for (const { command, outcome } of checks) {
    if (outcome.is === 'unstartable') return { is: 'unprovable', command, error: outcome.error };
  }
  return null;
}

/** Rule 10. */
function complete(hearing: Case): Verdict | null {
  return gatesHold(hearing) && enoughPasses(hearing) ? { is: 'complete' } : null;
}

export function gatesHold(known: Seen): boolean {
  const missing = gatesMissing(known);
  if (missing.length === 0) return true;
  return (
    known.frame.require === 'any' &&
    missing[0]?.gate !== 'protected' &&
    missing.length < gatesOf(known.frame).length
  );
}

/** With the pass that this stop ends. Of a list of items, the minimum is for each item. */
function enoughPasses({ frame }: Case): boolean {
  return frame.items !== null || frame.passes + 1 >= frame.atLeast;
}

/** Rule 11. Together with the promise it is a contradiction: the agent is asked, not the person. */
function distress(hearing: Case): Verdict | null {
  const { said } = hearing.proofs;
  if (!said?.distress || said.contradicted) return null;
  const { is, words } = said.distress;
  const missing = stillMissing(hearing);
  if (is === 'iterations' || is === 'items') return { is: 'exhaust', limit: is, missing };
  return { is: 'escalate', why: { is: is === 'escalate' ? 'asked' : is, words }, missing };
}

/** Rule 12. */
function outOfTime(hearing: Case): Verdict | null {
  const { loop, now } = hearing;
  if (loop.timeMs === null || workedMs(loop, now) < loop.timeMs) return null;
  return { is: 'exhaust', limit: 'time', missing: stillMissing(hearing) };
}

/** Rule 12 too: money, tokens, or no progress. */
function overrun(hearing: Case): Verdict | null {
  const { over } = hearing.proofs;
  return over === null ? null : { is: 'exhaust', ...over, missing: stillMissing(hearing) };
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
function iterationsUsedUp(hearing: Case): Verdict | null {
  const { frame } = hearing;
  if (frame.iterations === null || frame.passes + 1 < frame.iterations) return null;
  return { is: 'exhaust', limit: 'iterations', missing: stillMissing(hearing) };
}

/** Rule 15. */
function goOn(hearing: Case): Verdict {
  return { ...goingOn(hearing), missing: stillMissing(hearing) };
}

export function goingOn({ loop, stop }: Pick<Case, 'loop' | 'stop'>): Extract<Verdict, { is: 'continue' }> {
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

function stillMissing(hearing: Case): Missing[] {
  const { passes, atLeast } = hearing.frame;
  if (!gatesHold(hearing)) return gatesMissing(hearing);
  if (enoughPasses(hearing)) return [];
  const says = `the gates hold, but at least ${atLeast} iterations were asked for and this was iteration ${passes + 1}`;
  return [{ gate: 'passes', says }];
}

/** While a protected file is not as it was, no gate counts, however they are combined, and nothing else is worth saying. */
export function gatesMissing(known: Seen): Missing[] {
  const slip = known.proofs.sights.find(({ gate, holds }) => gate === 'protected' && !holds);
  if (slip !== undefined) return [slip];
  return [...promiseMissing(known), ...checksMissing(known), ...sightsMissing(known)];
}

/** A signal of the frame's mode stands for the promise. */
function promiseMissing({ frame, proofs: { said } }: Seen): Missing[] {
  const line = claimLine(frame);
  if (line === null || said?.kept) return [];
  const seen = said?.near ?? null;
  const wanted = promiseOf(frame);
  return [
    wanted === null
      ? { gate: 'signal', says: seen ?? `${line} has not been said` }
      : { gate: 'promise', wanted, seen },
  ];
}

function checksMissing({ frame, proofs }: Seen): Missing[] {
  // Where nothing has to be claimed, something else kept them from being run, and is told beside this.
  const idle = claimLine(frame) === null ? 'was not run at this stop' : sayOutcome(undefined);
  return checksOf(frame).flatMap(({ name, command }): Missing[] => {
    const outcome = proofs.checks.find((proof) => proof.command === command)?.outcome;
    if (outcome?.is === 'passed') return [];
    return [{ gate: 'check', name, command, outcome: outcome ? sayOutcome(outcome) : idle }];
  });
}

/** Everything else is looked at, and judged there. */
function sightsMissing({ frame, proofs: { sights } }: Seen): Missing[] {
  return frame.gates.flatMap(({ kind }): Missing[] => {
    if (kind === 'promise' || kind === 'check' || kind === 'signal') return [];
    const seen = sights.find(({ gate }) => gate === kind);
    return seen?.holds ? [] : [{ gate: kind, says: seen?.says ?? `${kind}: not looked at yet` }];
  });
}
