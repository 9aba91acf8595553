/**
 * The law (design §3): how a stop of a live loop is judged. Rules in order, the first that applies decides.
 * Rules 1 to 5 need no judgement (nothing is live, or the stop was judged already): the hearing applies them.
 */
import type { Escalation, Missing, Verdict } from './events.ts';
import { itemsPassing } from './features.ts';
import { checksOf, promiseOf, topFrame, workedMs, type CheckGate, type Frame, type Loop } from './loop.ts';
import { readDistress, readPromise, sayNearMiss, type PromiseReading } from './signals.ts';
import type { Proofs, Stop } from './stop.ts';
import { sayOutcome } from './say.ts';

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
type Seen = Pick<Case, 'frame' | 'proofs'>;

type Rule = (hearing: Case) => Verdict | null;

const BEFORE_PROOF: readonly Rule[] = [peopleFirst, stale];
const LAW: readonly Rule[] = [
  ...BEFORE_PROOF,
  veto,
  complete,
  distress,
  outOfTime,
  background,
  iterationsUsedUp,
];

export function decide(loop: Loop, stop: Stop, proofs: Proofs, now: string): Verdict {
  const hearing = { loop, frame: topFrame(loop), stop, proofs, now };
  return firstVerdict(LAW, hearing) ?? goOn(hearing);
}

/** Whether this stop is to be proven at all: people and staleness come first. */
export function wantsProof(loop: Loop, stop: Stop, now: string): boolean {
  const proofs = { tags: [], checks: [], sights: [], features: null };
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

/** Rule 8. */
function veto(hearing: Case): Verdict | null {
  // Where any gate is enough and one holds, the proof is not needed.
  const why = gatesHold(hearing) ? null : cannotBeProven(hearing);
  return why === null ? null : { is: 'escalate', why, missing: stillMissing(hearing) };
}

function cannotBeProven({ proofs: { checks, sights } }: Seen): Escalation | null {
  for (const { command, outcome } of checks) {
    if (outcome.is === 'unstartable') return { is: 'unprovable', command, error: outcome.error };
  }
  for (const { trouble } of sights) if (trouble !== null) return { is: 'unreadable', why: trouble };
  return null;
}

/** Rule 10. */
function complete(hearing: Case): Verdict | null {
  return gatesHold(hearing) && enoughPasses(hearing) ? { is: 'complete' } : null;
}

function gatesHold(known: Seen): boolean {
  const { gates, require } = known.frame;
  const missing = gatesMissing(known);
  return require === 'all' || missing[0]?.gate === 'protected'
    ? missing.length === 0
    : missing.length < gates.length;
}

/** With the pass that this stop ends. */
function enoughPasses({ frame }: Case): boolean {
  return frame.passes + 1 >= frame.atLeast;
}

/** Rule 11. Together with the promise it is a contradiction: the agent is asked, not the person. */
function distress(hearing: Case): Verdict | null {
  const cry = readDistress(hearing.proofs.tags, promiseOf(hearing.frame));
  const reading = promiseReading(hearing);
  if (cry === null || (reading?.is === 'missed' && reading.near.is === 'contradicted')) return null;
  const why = { is: cry.is === 'blocked' ? ('blocked' as const) : ('asked' as const), words: cry.words };
  return { is: 'escalate', why, missing: stillMissing(hearing) };
}

/** Rule 12. */
function outOfTime(hearing: Case): Verdict | null {
  const { loop, now } = hearing;
  if (loop.timeMs === null || workedMs(loop, now) < loop.timeMs) return null;
  return { is: 'exhaust', limit: 'time', missing: stillMissing(hearing) };
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
  const { loop, stop } = hearing;
  const shells = stop.background.filter((task) => task.kind === 'shell').map((task) => task.description);
  const streak = stop.toolUsed ? 0 : loop.streak;
  return {
    is: 'continue',
    missing: stillMissing(hearing),
    shells,
    capped: stop.cap !== null && streak >= stop.cap,
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
function gatesMissing(known: Seen): Missing[] {
  const slip = known.proofs.sights.find(({ gate, holds }) => gate === 'protected' && !holds);
  if (slip !== undefined) return [slip];
  return [...promiseMissing(known), ...checksMissing(known), ...sightsMissing(known)];
}

function promiseMissing(known: Seen): Missing[] {
  const wanted = promiseOf(known.frame);
  const reading = promiseReading(known);
  if (wanted === null || reading === null || reading.is === 'kept') return [];
  return [
    { gate: 'promise', wanted, seen: reading.is === 'missed' ? sayNearMiss(reading.near, wanted) : null },
  ];
}

function checksMissing({ frame, proofs }: Seen): Missing[] {
  return checksOf(frame).flatMap(({ command }): Missing[] => {
    const outcome = proofs.checks.find((proof) => proof.command === command)?.outcome;
    return outcome?.is === 'passed' ? [] : [{ gate: 'check', command, outcome: sayOutcome(outcome) }];
  });
}

/** Everything else is looked at, and judged there. */
function sightsMissing({ frame, proofs: { sights } }: Seen): Missing[] {
  return frame.gates.flatMap(({ kind }): Missing[] => {
    if (kind === 'promise' || kind === 'check') return [];
    const seen = sights.find(({ gate }) => gate === kind);
    return seen?.holds ? [] : [{ gate: kind, says: seen?.says ?? `${kind}: not looked at yet` }];
  });
}

function promiseReading({ frame, proofs }: Seen): PromiseReading | null {
  const text = promiseOf(frame);
  return text === null ? null : readPromise(proofs.tags, text);
}
