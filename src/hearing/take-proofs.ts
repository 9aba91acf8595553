/** Takes the proofs that a stop needs: looks at files, runs checks, asks stop hooks. Most stops need none of it. */
import { sayCheck, sayNotBefore, sayReviewer } from '../core/words/phrases.ts';
import { MEASURED, sayOutcome } from '../core/words/seldom.ts';
import { featuresSight } from '../proofs/items.ts';
import {
  checksOf,
  featuresOf,
  hooksOf,
  movedBaselineOf,
  reviewerOf,
  reviewsOf,
  type CheckGate,
  claimLine,
} from '../core/gates.ts';
import { topFrame, type Frame, type Loop } from '../core/loop.ts';
import type { ChangedPaths } from '../core/stop-hooks.ts';
import { checkProof, type CheckProof, type GateResult } from '../core/record/verdict.ts';
import { list, readAs, record, text } from '../core/shape.ts';
import type { Facts, Proofs, Stop } from '../core/stop.ts';
import type { Hearing } from './claim.ts';
import { evidenceFile, treeStore } from '../store/evidence.ts';
import { changedFiles, hearHooks, type RuleSeen } from '../proofs/stop-hooks/ask.ts';
import { configTrouble } from '../proofs/stop-hooks/config-trust.ts';
import { restoreEnvironment } from '../operations/trust/environment.ts';
import { hearReviews } from '../proofs/review.ts';
import { keepProgress } from '../proofs/proving.ts';
import { proveChecks, type CheckBench } from '../proofs/checks.ts';
import { lookAtGround, proveInRoom } from '../proofs/ground/look.ts';
import { heldOutOf } from '../proofs/held-out.ts';
import { measuresSight, takeMeasures } from '../proofs/measures.ts';
import { proveUntouched } from '../proofs/untouched.ts';
import { proveFeatures } from '../lists/file.ts';
import { hasMoved, movedResult } from '../proofs/moved.ts';
import { ownFiles } from '../views/names.ts';
import { treeMark } from '../git/marks/mark.ts';
import { contentOf } from '../core/record/mark.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { lookAtProtected } from '../guard/changed.ts';
import { whileAlive } from '../process/abort-with-parent.ts';
import type { Runtime } from '../store/runtime.ts';
import { standingOf } from '../core/standing.ts';
import { trendAt } from '../core/trend.ts';
import { readOwnRules, runRules } from '../operations/look/rules.ts';
import { readOwnGates, type OwnGates } from '../proofs/stop-hooks/own-gates.ts';

/** Time reserved after the checks for the stop hooks or a review, and after everything for the verdict. */
const AFTER_CHECKS_MS = 60_000;
const FOR_REVIEW_MS = 300_000;
const AFTER_ALL_MS = 15_000;

/** `broken-off`: this process was told to end, or its host is gone. Everything it had begun was ended too. */
type TakenProofs =
  | { readonly is: 'taken'; readonly proofs: Pick<Proofs, 'checks' | 'sights' | 'trend'> }
  | { readonly is: 'broken-off'; readonly why: 'terminated' | 'orphaned' };

/** The message of the last stop at which a check said "not yet". */
export const AWAITING = 'awaiting.txt';

/**
 * The checks run first, because measures may read what they wrote, and the stop hooks see their results. `seen`: what was
 * proven before.
 */
export async function takeProofs(
  hearing: Hearing,
  checks: readonly CheckGate[],
  seen: Proofs,
  stop: Stop,
): Promise<TakenProofs> {
  const { open, n, runtime } = hearing;
  const loop = open.loop();
  const { sights } = seen;
  const frame = topFrame(loop);
  const { measures = [] } = frame;
  const hasHooks = hooksOf(frame) !== null;
  const reviews = reviewsOf(frame);
  if (checks.length + measures.length + reviews.length === 0 && !hasHooks)
    return { is: 'taken', proofs: { checks: [], sights } };
  restoreEnvironment(open, runtime);
  const watch = whileAlive(loop.session.owner?.process ?? null, runtime);
  const progress = progressOf(hearing);
  try {
    const files = hasHooks ? await changedFiles(open, runtime) : null;
    const bench = (what: string): CheckBench => ({
      cwd: loop.project,
      heldOut: heldOutOf(open.blobs),
      runner: runtime.runner,
      parallel: loop.limits.checking.parallel,
      budgetMs: Math.min(
        loop.limits.checking.timeoutMs,
        leftMs(hearing) - (reviews.length === 0 ? AFTER_CHECKS_MS : FOR_REVIEW_MS),
      ),
      signal: watch.signal,
      evidence: () => evidenceFile(open, `stop-${n}-${what}.txt`),
      begun: (check) => progress.begun(sayRun(check, what), `${what}=${JSON.stringify(check.command)}`),
      ended: (proof) => {
        const { outcome } = proof;
        const how = what === 'measure' && outcome.is === 'passed' ? MEASURED : sayOutcome(outcome);
        progress.ended(sayRun(proof, what), how, 'tail' in outcome ? outcome.tail : '');
      },
    });
    const before = loop.session.awaits === null ? null : await readLate(open, runtime);
    const run = async () => {
      if (before !== null) return before;
      return loop.ground?.clean && checks.length > 0
        ? proveInRoom({ open, runtime, checks, bench: bench('check') })
        : proveChecks(checks, bench('check'));
    };
    const changed = () => changedMeanwhile(open, seen, runtime);
    const { proven, doubt, ...checked } = await proveUntouched(run, changed, open, runtime);
    const taken = await takeMeasures(measures, bench('measure'));
    const measured = measures.length === 0 ? [] : [measuresSight(measures, taken)];
    const proofs = { ...seen, checks: proven, sights: [...sights, ...measured] };
    const isEarly = proven.some(({ outcome }) => outcome.is === 'not-yet');
    // A later look may be by another process, and the stop hooks want to see it then, too.
    if (isEarly || reviews.length > 0) open.blobs.write(AWAITING, stop.message);
    const heard =
      files === null || watch.signal.aborted
        ? null
        : await askHooks(hearing, stop, proofs, files, watch.signal, progress);
    // The hooks come first, because their veto precedes anything else that could not be proven.
    const others = [heard, doubt, ...proofs.sights].filter((sight) => sight !== null);
    const ground =
      checked.tampering !== null
        ? null
        : await askGround(hearing, { ...proofs, sights: others }, bench('room'));
    if (ground !== null) others.push(ground);
    if (ground?.waits) await keepLate(open, { proofs: proven, message: stop.message }, runtime);
    const reviewed = await askReviewers(hearing, { ...proofs, sights: others }, watch.signal, progress);
    const why = watch.why();
    if (why !== null) return { is: 'broken-off', why };
    const all = [...others, ...reviewed];
    const ranMore = measures.length + reviews.length > 0 || (proven.length > 0 && heard !== null);
    const tampering = checked.tampering ?? (ranMore ? changed() : null);
    if (tampering !== null) return { is: 'taken', proofs: { checks: [], sights: [tampering, ...all] } };
    // While background work runs, or a check says "not yet", the pass is not over, and its result may still change.
    const isOver = stop.background.length === 0 && !isEarly && proven.length + taken.length > 0;
    const { missing } = standingOf(frame, { ...proofs, sights: all });
    const trend = isOver ? { trend: trendAt(loop, { checks: proven, missing, taken }) } : {};
    return { is: 'taken', proofs: { checks: proven, sights: all, ...trend } };
  } finally {
    progress.over();
    watch.end();
  }
}

/** A second run of the same check needs another name, or nobody knows why it fails after it passed. */
function sayRun(check: Parameters<typeof sayCheck>[0], what: string): string {
  return what === 'room' ? `${sayCheck(check)} in a clean copy` : sayCheck(check);
}

/**
 * Checks run the agent's code, which may change what the proof is based on. Then their results are void. Null:
 * protected files, config and feature list have not changed since before the checks.
 */
function changedMeanwhile(open: OpenLoop, seen: Proofs, runtime: Runtime): GateResult | null {
  const { protection, config } = open.loop();
  if ((protection.baseline ?? config ?? seen.features) === null) return null;
  const now = lookAround(open, runtime);
  if (restsOn(now) === restsOn(seen)) return null;
  const veto = now.sights.find(({ gate }) => gate === 'hooks');
  if (veto !== undefined) return veto;
  const altered = now.sights.find(({ gate, holds }) => gate === 'protected' && !holds);
  const what = altered?.says ?? 'The feature list has changed';
  const says = `${what}. It changed while the checks ran, so their results do not count`;
  return { gate: 'protected', holds: false, says, trouble: null };
}

/** Leaves out the moved file: if it moves while the checks run, that is what the loop waited for. */
function restsOn({ features, sights }: Pick<Proofs, 'features' | 'sights'>): string {
  return JSON.stringify([features, sights.filter(({ gate }) => gate !== 'moved')]);
}

/** The word by which a driver that shows proofs knows success. The words of hooks that agree are not a failure. */
const HOLDS = 'holds';

async function askHooks(
  hearing: Hearing,
  stop: Stop,
  proofs: Proofs,
  files: ChangedPaths,
  signal: AbortSignal,
  progress: ReturnType<typeof progressOf>,
): Promise<GateResult | null> {
  const { open, n, runtime } = hearing;
  // If the config has changed since the person trusted it, none of it is run.
  if (proofs.sights.some(({ gate }) => gate === 'hooks')) return null;
  progress.begun('stop hooks', 'hooks');
  const rules = await runOwnRules(hearing, stop.message, proofs, signal);
  const left = leftMs(hearing) - AFTER_ALL_MS;
  const sight = await hearHooks(open, stop, proofs, files, n, { signal, leftMs: left, rules }, runtime);
  const says = sight?.says ?? 'broken off';
  progress.ended('stop hooks', sight?.holds === true ? HOLDS : says, '', says);
  return sight;
}

/** The checks that passed at a stop that had no time left for the clean room, and the content of the work tree then. */
const LATE = 'late-room.json';
const late = record({ tree: text, proofs: list(checkProof) });

async function keepLate(
  open: OpenLoop,
  { proofs, message }: { readonly proofs: readonly CheckProof[]; readonly message: string },
  runtime: Runtime,
): Promise<void> {
  const { tree } = await markOf(open, runtime);
  open.blobs.write(AWAITING, message);
  if (tree !== null) open.blobs.write(LATE, JSON.stringify({ tree, proofs }));
}

/** The next look uses them, so that the room has all of its time. Null: there are none, or the files are others now. */
async function readLate(open: OpenLoop, runtime: Runtime): Promise<CheckProof[] | null> {
  const kept = readAs(late, () => open.blobs.read(LATE));
  if (kept === null) return null;
  open.blobs.remove(LATE);
  const { tree } = await markOf(open, runtime);
  return tree === kept.tree ? [...kept.proofs] : null;
}

/** It may cost a second run of the checks, so it comes when all else holds but a review, which costs a whole agent. */
async function askGround(hearing: Hearing, proofs: Proofs, bench: CheckBench): Promise<GateResult | null> {
  const { open, runtime } = hearing;
  const frame = topFrame(open.loop());
  if (open.loop().ground === null || bench.signal.aborted) return null;
  const assumed = reviewsOf(frame).map((gate): GateResult => {
    return { gate: 'review', by: reviewerOf(gate), holds: true, says: '', trouble: null };
  });
  const { done, trouble } = standingOf(frame, { ...proofs, sights: [...proofs.sights, ...assumed] });
  if (!done || trouble !== null) return null;
  const passed = proofs.checks.filter(({ outcome }) => outcome.is === 'passed');
  const checks = checksOf(frame).filter(({ command }) => passed.some((proof) => proof.command === command));
  const tookMs = passed.reduce((sum, { ms }) => sum + ms, 0);
  const left = leftMs(hearing) - AFTER_CHECKS_MS;
  return lookAtGround({ open, runtime, checks, tookMs, leftMs: left, bench });
}

/** Each costs a whole agent, so they come last, and only if nothing else is missing. */
async function askReviewers(
  hearing: Hearing,
  proofs: Proofs,
  signal: AbortSignal,
  progress: ReturnType<typeof progressOf>,
): Promise<readonly GateResult[]> {
  const { open, n, runtime } = hearing;
  const frame = topFrame(open.loop());
  const gates = reviewsOf(frame);
  if (gates.length === 0 || signal.aborted) return [];
  const name = `review by ${gates.map(sayReviewer).join(' and ')}`;
  const assumed = gates.map((gate): GateResult => {
    const says = `review by ${sayReviewer(gate)} comes when all else holds${sayNotBefore(frame)}`;
    return { gate: 'review', by: reviewerOf(gate), holds: true, says, trouble: null };
  });
  const { done, trouble } = standingOf(frame, { ...proofs, sights: [...proofs.sights, ...assumed] });
  if (!done || trouble !== null) return assumed.map((result) => ({ ...result, holds: false }));
  // What is claimed now is proven again at the stop.
  if (hearing.isRehearsal) return assumed;
  progress.begun(name, 'review');
  const bench = { signal, leftMs: leftMs(hearing) - AFTER_ALL_MS };
  const seen = await hearReviews(open, gates, { proofs, n }, bench, runtime);
  const how = seen?.map(({ says }) => says).join('; ') ?? 'broken off';
  progress.ended(name, seen?.every(({ holds }) => holds) === true ? HOLDS : how, '', how);
  return seen ?? [];
}

/** The time until the host ends this process, counted from its start. Waiting for another stop counts too. */
function leftMs({ arrival, runtime }: Hearing): number {
  return arrival.from.limits.stopMs - (Date.parse(runtime.now()) - Date.parse(runtime.started));
}

/** Reports to the log, to `dacapo status`, and to a driver that shows it. */
function progressOf({ open: { blobs, loop }, n, runtime }: Hearing) {
  const busy = new Set<string>();
  const { id } = loop();
  const show = () => keepProgress(blobs, busy.size === 0 ? null : { at: runtime.now(), what: [...busy] });
  return {
    begun: (what: string, log: string) => {
      busy.add(what);
      show();
      runtime.log(`loop=${id} stop=${n} ${log}`);
      runtime.proving?.(what, null, '');
    },
    /** `how`: in words; `log`: for the log. */
    ended: (what: string, how: string, tail: string, log = how) => {
      busy.delete(what);
      show();
      runtime.log(`loop=${id} stop=${n} ${what}: ${log.replaceAll('\n', ' ')}`);
      runtime.proving?.(what, how, tail);
    },
    over: () => keepProgress(blobs, null),
  };
}

/** What reading alone can show. Done at every stop, because it costs next to nothing. */
export function lookAround(open: OpenLoop, runtime: Runtime): Pick<Proofs, 'features' | 'sights'> {
  const loop = open.loop();
  const { features, sights } = lookAtFiles(loop, topFrame(loop));
  const trouble = loop.config === null ? null : configTrouble(loop, runtime.store);
  return {
    features,
    sights: [...(trouble === null ? [] : [trouble]), ...lookAtProtected(open, runtime), ...sights],
  };
}

export function lookAtFiles({ project, last }: Loop, frame: Frame): Pick<Proofs, 'features' | 'sights'> {
  const gate = featuresOf(frame);
  const before = last?.features ?? gate?.begun ?? null;
  const baseline = movedBaselineOf(frame);
  const features = gate === null ? null : proveFeatures(gate.file, project, before);
  return {
    features,
    sights: [
      ...(gate === null || features === null ? [] : [featuresSight(gate.file, features, before)]),
      ...(baseline === null ? [] : [movedResult(baseline, hasMoved(baseline, project))]),
    ],
  };
}

interface MarkedTree extends Pick<Facts, 'tree'> {
  readonly note: string | null;
}

/** If the trees of two marks are equal, nothing changed in between. */
export async function markOf(open: OpenLoop, runtime: Runtime): Promise<MarkedTree> {
  const loop = open.loop();
  let note: string | null = null;
  const unknown = (why: string) => {
    const says = `the work tree can't be compared: ${why.replace(/\.$/, '')}`;
    runtime.log(`loop=${loop.id} ${says}`);
    if (runtime.store.once.isNews(`${loop.id} unmarked`))
      note = `Da Capo: ${says}. Until it can, only tool calls show whether the loop makes progress.`;
  };
  restoreEnvironment(open, runtime);
  const mark = await treeMark(loop.project, treeStore(open), { ...ownFiles(loop), unknown });
  return { tree: mark && contentOf(mark), note };
}

/** Tests the validation rules that the loop was started with. A check that has run needs no second run as a rule. */
async function runOwnRules(
  { open, runtime }: Hearing,
  output: string,
  proofs: Proofs,
  signal: AbortSignal,
): Promise<readonly RuleSeen[]> {
  const rules = readOwnGates(open.blobs)?.rules ?? [];
  if (rules.length === 0) return [];
  const own = readOwnRules(runtime.store);
  if (!own.ok) return rules.map(({ name }) => ({ ruleName: name, passed: null, message: own.message }));
  const loop = open.loop();
  const test = async (rule: OwnRule): Promise<RuleSeen> => {
    const run = await runRules({ rules: [rule], project: loop.project, loop, own, output, signal }, runtime);
    const untested = { ruleName: rule.name, passed: null, message: run.ok ? '' : run.message };
    return (run.ok ? run.results[0] : null) ?? untested;
  };
  const results: RuleSeen[] = [];
  for (const rule of rules)
    results.push(checked(rule, proofs) ?? early(rule, loop, proofs) ?? (await test(rule)));
  return results;
}

type OwnRule = OwnGates['rules'][number];

/** Null: it is not a check of this loop, or the check has not run. */
function checked(rule: OwnRule, { checks }: Proofs): RuleSeen | null {
  const proof = checks.find(({ command }) => 'command' in rule && rule.command === command);
  if (proof === undefined) return null;
  return { ruleName: rule.name, passed: proof.outcome.is === 'passed', message: sayOutcome(proof.outcome) };
}

/** A command costs minutes, so it runs only on a claim, like a check. Null: it may run now. */
function early({ name, type }: OwnRule, loop: Loop, proofs: Proofs): RuleSeen | null {
  const frame = topFrame(loop);
  if (type !== 'command' || claimLine(frame) === null || standingOf(frame, proofs).claimed) return null;
  return { ruleName: name, passed: null, message: 'not run at this stop: it runs when you claim to be done' };
}
