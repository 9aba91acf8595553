/**
 * Checks everything that can refuse a start before the loop is made: the config, the checks, the lists, the
 * protected files. Then runs the checks once, because a check that passes already proves nothing by itself.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Begun, type CheckGate, begunOf } from '#law/gates.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { codeOf } from '#base/shape.ts';
import { parseRule, STARTER } from '#input/config/approval-rules.ts';
import type { StartRequest } from '#input/arguments.ts';
import { hasItems } from '#input/options.ts';
import { familyOfWord, ruleTools } from '#hosts/tables/rules.ts';
import type { FirstItem } from '#evidence/lists/items.ts';
import { listProtected, protects, type ProtectedListing } from '#evidence/proofs/protected.ts';
import { configFor, type Configured } from '#evidence/proofs/stop-hooks/configure.ts';
import type { OwnGates } from '#evidence/proofs/stop-hooks/own-gates.ts';
import type { Runtime } from '#store/runtime.ts';
import { type BegunTree, treeNow } from '#evidence/proofs/tree-now.ts';
import { keepContents } from '#evidence/git/marks/diff.ts';
import { dropTrees } from '#store/evidence.ts';
import { askedBy, checkingOf, refuseMissing, type AskedGates } from '../asked/gates.ts';
import { readRubric, refuseReviews, type Rubric } from '../asked/reviews.ts';
import { configProves, refuseMeasures, withFirstValues } from '../asked/measures.ts';
import { groundOf, type BegunGround } from '../asked/ground.ts';
import { firstItem, type ToBegin } from '../asked/items.ts';
import { refuseUnrun } from '../asked/unrun-checks.ts';
import { readFeatureFile } from '#evidence/lists/file.ts';
import { nextOpen } from '#evidence/lists/features.ts';
import { sayCheck } from '#law/words/phrases.ts';
import { filesIn, withScratch } from '#base/files/scratch.ts';
import { proveChecks, type CheckRun } from '#evidence/proofs/checks.ts';
import { takeMeasures } from '#evidence/proofs/measures.ts';
import type { Measure } from '#law/record/definition.ts';
import type { CheckProof } from '#law/record/verdict.ts';
import type { Reading } from '#input/values.ts';

export interface Prepared extends AskedGates {
  readonly ok: true;
  readonly item: FirstItem | null;
  readonly rubric: Rubric | null;
  readonly protection: Protection | null;
  readonly baseline: Baseline;
}

export interface Baseline extends BegunTree {
  /** By command. A check that did not finish in time is missing. */
  readonly checks: ReadonlyMap<string, Begun>;
  /** What the checks showed, for the person who starts the loop. */
  readonly proofs: readonly CheckProof[];
  readonly measures: readonly Measure[];
  /** What the checks stand on. Null: there are none. */
  readonly ground: BegunGround | null;
}

const NO_BASELINE: Baseline = {
  checks: new Map(),
  proofs: [],
  measures: [],
  ground: null,
  tree: null,
  marks: null,
};

interface Protection extends ProtectedListing {
  /** Patterns that match no file: a typo, or a file that does not exist yet. */
  readonly unmatched: readonly string[];
}

/** For a loop adopted from another tool: it has what its state says, and nothing else. */
export function unprepared(request: StartRequest): Prepared {
  return {
    ...askedBy(request, null),
    ok: true,
    item: null,
    rubric: null,
    protection: null,
    baseline: NO_BASELINE,
  };
}

export interface ToPrepare extends ToBegin {
  readonly host: string;
  readonly own?: OwnGates | undefined;
}

export async function prepare(order: ToPrepare, runtime: Runtime): Promise<Prepared | Refusal> {
  const { request, project, own } = order;
  const configured = await configFor({ project, config: request.config, own }, runtime);
  if (configured?.ok === false) return configured;
  const prepared = await prepareRest(order, askedBy(request, configured), runtime);
  if (!prepared.ok) discard({ configured, baseline: NO_BASELINE });
  return prepared;
}

async function prepareRest(
  { request, project, host }: ToPrepare,
  asked: AskedGates,
  runtime: Runtime,
): Promise<Prepared | Refusal> {
  const shown = [...asked.checks.filter(({ heldOut }) => !heldOut), ...asked.measures];
  const commands = [...shown.map(({ command }) => command), ...request.heldOut];
  const { keep, targets, maxReviews } = request;
  const namesMeasures = asked.measures.length + keep.length + targets.length > 0;
  const namesReviews = asked.reviews.length > 0 || (maxReviews ?? request.rubric) !== null;
  const missing =
    refuseMissing(commands, runtime.env) ??
    (namesMeasures ? refuseMeasures(request, asked.measures) : null) ??
    (namesReviews ? refuseReviews(request, asked.reviews, runtime.env) : null) ??
    (asked.rules.length > 0 ? refuseUnseen(asked.rules, host) : null);
  if (missing !== null) return missing;
  const first = hasItems(request) ? await firstItem({ request, project }, runtime) : null;
  if (first?.ok === false) return first;
  const item = first?.item ?? null;
  const read = request.rubric === null ? null : readRubric(request.rubric, project);
  if (read?.ok === false) return read;
  const rubric = read?.value ?? null;
  const reviews = asked.reviews.map((gate) => (rubric === null ? gate : { ...gate, rubric: rubric.key }));
  return withFilesOf(
    { request, project },
    { ...asked, ok: true, reviews, item, rubric, protection: null, baseline: NO_BASELINE },
  );
}

/** A rule about a tool that we never see would let everything through in silence. */
function refuseUnseen(rules: readonly string[], host: string): Refusal | null {
  const tools = ruleTools(host);
  const unseen = rules.find((text) => {
    const { tool = null } = parseRule(text) ?? {};
    return text !== STARTER && (tool === null || (familyOfWord(tool) ?? tools.familyOf(tool)) === null);
  });
  if (unseen === undefined) return null;
  const next = `It sees ${tools.seen()}. shell(…), write(…) and tool(…) cover every tool of that kind.`;
  return refuse('bad-rule', `Da Capo sees no calls of the tool in the rule ${JSON.stringify(unseen)}.`, next);
}

/** Drops what was prepared, for a loop that is not made after all or that has taken what it needs. */
export function discard({ configured, baseline }: Pick<Prepared, 'configured' | 'baseline'>): void {
  for (const marks of [configured?.marks, baseline.marks]) if (marks) dropTrees(marks);
}

/**
 * A work tree has files of its own, so we read the feature list and the protected files where the agents
 * work.
 */
export function withFilesOf(order: ToBegin, prepared: Prepared): Prepared | Refusal {
  const refusal = refuseList(order, prepared.configured) ?? refuseDoneFolder(order);
  if (refusal !== null) return refusal;
  const protection = protectionFor(order.request.protect, order.project);
  return protection?.ok === false ? protection : { ...prepared, protection };
}

/** The agent may make one that is not there yet. */
function refuseDoneFolder({ request: { doneFolder }, project }: ToBegin): Refusal | null {
  if (doneFolder === null || mayBeFolder(resolve(project, doneFolder))) return null;
  const why = `${doneFolder} is not a folder, so the watched file can't arrive there.`;
  return refuse('no-folder', why, 'Name a folder: --done-folder DIR.');
}

/**
 * What can't be looked at is not refused: every stop says that it can't read the folder. By its code, since
 * from Node 22 on `throwIfNoEntry: false` takes a path below a file for one that is not there.
 */
function mayBeFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return codeOf(error) !== 'ENOTDIR';
  }
}

export function protectionFor(protect: readonly string[], project: string): Protection | Refusal | null {
  if (protect.length === 0) return null;
  const listed = listProtected(protect, project);
  if (!listed.ok) return listed;
  const unmatched = protect.filter((pattern) => {
    const matches = protects([pattern], project);
    return !pattern.startsWith('!') && !listed.files.some(({ path }) => matches(path));
  });
  const bracketed = unmatched.find((pattern) => BRACKETS.test(pattern));
  if (bracketed === undefined) return { ...listed, unmatched };
  const why =
    `no file matches --protect ${bracketed}: [ and ] are plain characters in a pattern, as in ` +
    'app/[id]/page.tsx.';
  return refuse('bad-glob', why, 'Write {a,b} for either of two, and ? for any one character.');
}

/** In most shells `[ab]` is either letter. Taken as a name that is not there, it would protect nothing. */
const BRACKETS = /\[[^\]/]+\]/;

/** A feature list that is missing, can't be read or has no open item would prove nothing. */
export function refuseList({ request, project }: ToBegin, configured: Configured | null): Refusal | null {
  if (request.features === null) return null;
  const list = readFeatureFile(request.features, project);
  if (!list.ok)
    return refuse('bad-features', `${list.why}.`, 'Fix the list; dacapo features FILE shows how it is read.');
  if (nextOpen(list) !== null || !isEnough(request, configured)) return null;
  const but = list.notes.map((words) => ` (it ${words})`).join('');
  return refuse(
    'nothing-open',
    `Every item of ${request.features} passes already${but}, so there is nothing to do.`,
    'Nothing was started. Add an open item, or another gate such as --check CMD.',
  );
}

/** Whether the list alone would complete the loop at its first stop. */
function isEnough(request: StartRequest, configured: Configured | null): boolean {
  const { promise, checks, heldOut, targets, watchFile, minIterations, require } = request;
  if (minIterations > 1 || hasItems(request)) return false;
  const asks = promise !== null || checks.length + heldOut.length + targets.length > 0 || watchFile !== null;
  const configAsks = configProves(configured) || (configured?.found.hooks.length ?? 0) > 0;
  return require === 'any' || !(asks || configAsks);
}

/** In a session a person waits at the prompt, and the host ends a command's hook after 30 s. */
const SESSION_MS = 20_000;
const COMMAND_MS = 24_000;

/** `short`: a person waits at a prompt. `full`: as long as the checks of a stop may take. */
type CheckTime = 'short' | 'full';

/** The mark is taken last, so that files which the checks write do not count as the agent's work. */
export async function takeBaseline(
  order: ToBegin,
  asked: AskedGates,
  time: CheckTime,
  runtime: Runtime,
): Promise<(Baseline & { readonly ok: true }) | Refusal> {
  const proofs = await proveBefore(order, asked, time, runtime);
  const unrun = proofs.length === 0 || order.request.checkLater ? null : refuseUnrun(proofs, asked.checks);
  if (unrun !== null) return unrun;
  const taken = await measuresBefore(order, asked, time, runtime);
  if (!taken.ok) return taken;
  const { tree, marks } = await treeNow(order.project, asked.configured?.marks ?? null, runtime);
  if (order.request.confirm !== null && tree === null) return refuseUnmarked(order);
  const checks = begunBy(proofs, asked.checks);
  // Reviewers see what has changed since, and new tests run on the code of the start.
  if (asked.reviews.length + checks.size > 0 && marks !== null)
    await keepContents({ project: order.project, store: marks });
  const ground = asked.checks.length + asked.measures.length === 0 ? null : groundOf(order, asked);
  return { ok: true, checks, proofs, measures: taken.value, ground, tree, marks };
}

/** A pass that changes nothing can only be seen where the work tree can be compared. */
function refuseUnmarked({ project }: ToBegin): Refusal {
  const why = `--confirm compares the work tree before and after a pass, and ${project} can't be compared.`;
  return refuse('no-mark', why, 'Da Capo compares with git: install it, or leave --confirm out.');
}

async function measuresBefore(
  order: ToBegin,
  asked: AskedGates,
  time: CheckTime,
  runtime: Runtime,
): Promise<Reading<readonly Measure[]>> {
  if (asked.measures.length === 0) return { ok: true, value: [] };
  const terms = checkTermsOf(order, asked, time, runtime);
  const taken = await runOutsideStop(terms, runtime, (whole) => takeMeasures(asked.measures, whole));
  const more = time === 'short' ? ' In a session it has a few seconds; dacapo start gives it more.' : '';
  return withFirstValues(asked.measures, taken, `${more} Nothing was started.`);
}

/** Each item of a list needs its own claim, so the checks of a list need no baseline. */
export async function proveBefore(
  order: ToBegin,
  asked: AskedGates,
  time: CheckTime,
  runtime: Runtime,
): Promise<readonly CheckProof[]> {
  const { checks } = asked;
  if (checks.length === 0 || hasItems(order.request)) return [];
  return runChecksOutsideStop(checks, checkTermsOf(order, asked, time, runtime), runtime);
}

/** By command. `proofs`: in the order of the checks. */
export function begunBy(
  proofs: readonly CheckProof[],
  checks: readonly CheckGate[],
): ReadonlyMap<string, Begun> {
  return new Map(
    proofs.flatMap((proof, at): [string, Begun][] => {
      const gate = checks[at];
      const begun = gate === undefined ? null : begunOf(proof, gate);
      return begun === null ? [] : [[proof.command, begun]];
    }),
  );
}

type CheckTerms = Pick<CheckRun, 'cwd' | 'parallel' | 'budgetMs' | 'heldOut'>;

function checkTermsOf(
  { request, project }: ToBegin,
  { configured, heldOut }: AskedGates,
  time: CheckTime,
  runtime: Runtime,
): CheckTerms {
  const { parallel, timeoutMs } = checkingOf(request, configured);
  const waitedMs = Date.parse(runtime.now()) - Date.parse(runtime.started);
  const budgetMs = time === 'short' ? Math.min(SESSION_MS, COMMAND_MS - waitedMs) : timeoutMs;
  return { cwd: project, parallel, budgetMs, heldOut };
}

export function runChecksOutsideStop(checks: readonly CheckGate[], terms: CheckTerms, runtime: Runtime) {
  return runOutsideStop(terms, runtime, (whole) => proveChecks(checks, whole));
}

/** Runs commands outside of a stop. Their output is kept for as long as that takes. */
export function runOutsideStop<T>(
  terms: CheckTerms,
  runtime: Runtime,
  run: (whole: CheckRun) => Promise<T>,
): Promise<T> {
  return withScratch('baseline', (folder) =>
    run({
      ...terms,
      runner: runtime.runner,
      signal: runtime.stopped ?? new AbortController().signal,
      evidence: filesIn(folder),
      begun: (check) => runtime.proving?.(sayCheck(check), null),
      ended: (proof) =>
        runtime.proving?.(sayCheck(proof), { is: 'ran', as: 'check', outcome: proof.outcome }),
    }),
  );
}
