/**
 * Begins a run, or continues one: checks everything that can refuse it, prepares git, runs the checks once
 * and makes the loop. The caller then drives the loop, or starts a process that does. If a run is refused or
 * stopped, what was made for it is removed again.
 */
import type { Refused } from '#telling/advice.ts';
import type { Actor } from '#law/record/events.ts';
import { forOtherHost, type Plan } from '#law/record/plan.ts';
import type { CheckProof } from '#law/record/verdict.ts';
import { refuse, type Refusal, type Granted } from '#base/refusal.ts';
import { shellWord } from '#base/words/shell-quote.ts';
import type { StartRequest } from '#input/arguments.ts';
import type { RunRequest } from '#input/run-request.ts';
import type { Reading } from '#input/values.ts';
import type { HeadlessHost, SettingsPlace } from '#hosts/port/headless.ts';
import { pricesWith } from '#hosts/prices/prices.ts';
import { keepEvidence } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Choice } from '../look/find.ts';
import { keepBrought, lookAtBrought, refusePlanted } from '../trust/brought.ts';
import { refuseHost } from '../trust/trust.ts';
import { takeBaseline, discard, withFilesOf, prepare, type Prepared } from './prepare.ts';
import { prepareGit, withoutGit, setUpWorktree } from './run-git.ts';
import type { OwnWorktree, PreparedGit, WorktreeAsked } from './run-git.ts';
import { startLoop, startedOnce } from './start.ts';
import { openToRun } from './continue-loop.ts';
import { join } from 'node:path';
import { few } from '#law/words/phrases.ts';
import { isLive, planOf, type Loop } from '#law/loop.ts';
import { title } from '#telling/person/status.ts';
import { readUserConfig, sayMisfit } from '#input/config/user-config.ts';
import { loopsUnder } from '../look/loops.ts';

/** The default limit is an hour of work, because nobody watches a run. */
const WORK_MS = 3_600_000;

export function asRun(asked: StartRequest): StartRequest {
  return { ...asked, driver: 'fresh', timeoutMs: asked.timeoutMs ?? WORK_MS };
}

export interface RunHost {
  readonly host: HeadlessHost;
  readonly program: string;
}

/** `runtime.proving` tells of the checks; `runtime.stopped` ends whatever takes long. */
export interface BeginRun extends RunRequest {
  readonly project: string;
  readonly worktree: WorktreeAsked | null;
  readonly by: Actor;
  readonly on: RunHost;
  readonly tell?: (progress: RunProgress) => void;
  /** Makes no branch, no work tree and no view. The store is the caller's to choose. */
  readonly isRehearsal?: boolean;
  /**
   * The id that a fleet has given the loop. It gets no view: a new clone would lack it, which cancels a loop.
   */
  readonly ofFleet?: string;
}

export type RunProgress =
  | { readonly is: 'note'; readonly text: string }
  | { readonly is: 'sets-up'; readonly command: string }
  | { readonly is: 'output'; readonly text: string };

export type RunBegun = RunReady | RunRefused;

/** The caller closes `open`. */
export type RunReady = ReturnType<typeof ready>;

export interface RunRefused extends Refused {
  /** The host has a problem that no retry can fix. */
  readonly isHostUnfit?: boolean;
}

export async function beginRun(order: BeginRun, runtime: Runtime): Promise<RunBegun> {
  const prepared = await prepare({ ...order, host: order.on.host.name }, runtime);
  if (!prepared.ok) return runtime.stopped?.aborted === true ? stoppedBefore(null) : prepared;
  try {
    return await beginPrepared(order, prepared, runtime);
  } finally {
    discard(prepared);
  }
}

async function beginPrepared(order: BeginRun, prepared: Prepared, runtime: Runtime): Promise<RunBegun> {
  const { plan, project, worktree, by, on, tell = () => undefined, isRehearsal = false } = order;
  if (runtime.stopped?.aborted === true) return stoppedBefore(null);
  const gitless = await withoutGit(project, plan, worktree !== null);
  if (gitless !== null) return gitless;
  // This check takes longest, so it comes last, but before anything is created.
  const costUsd = order.request.maxCostUsd ?? null;
  const host = fitHost(on, { project, plan, costUsd }, runtime);
  if (!host.ok) return host;
  // Before the set-up and the checks run, which might add to it.
  const brought = lookAtBrought(project, runtime);
  const git = await prepareGit({ project, plan, worktree }, isRehearsal, runtime.store);
  if (!git.ok) return git;
  const notes = [...git.says, ...sayBadConfig(runtime)];
  for (const text of notes) tell({ is: 'note', text });
  const setup = isRehearsal ? null : (worktree?.setup ?? null);
  if (setup !== null) tell({ is: 'sets-up', command: setup });
  const show = (text: string) => tell({ is: 'output', text });
  const setUp = setup === null ? null : await setUpWorktree(setup, git.project, show, runtime);
  if (setUp?.ok === false) {
    await git.worktree?.discard();
    return setUp;
  }
  const made = await makeLoop(order, git, prepared, runtime);
  if (!made.ok) return made;
  const { open } = made;
  if (setUp !== null) keepEvidence(open.blobs, 'worktree-setup.txt', setUp.output);
  keepBrought(open, brought);
  open.write({ type: 'planned', at: runtime.now(), by, plan: git.plan });
  return ready(open, host, { notes, proofs: made.proofs }, runtime);
}

async function makeLoop(
  { request: asked, project: from, by, on, isRehearsal = false, ofFleet: id }: BeginRun,
  { project, worktree }: PreparedGit,
  prepared: Prepared,
  runtime: Runtime,
): Promise<Granted<{ readonly open: OpenLoop; readonly proofs: readonly CheckProof[] }>> {
  const placed = project === from ? prepared : withFilesOf({ request: asked, project }, prepared);
  if (!placed.ok) {
    await worktree?.discard();
    return placed;
  }
  const baseline = await takeBaseline({ request: asked, project }, placed, 'full', runtime);
  if (runtime.stopped?.aborted === true) {
    if (baseline.ok) discard({ configured: null, baseline });
    return stoppedBefore(worktree);
  }
  if (!baseline.ok) {
    await worktree?.discardUnchanged();
    return baseline;
  }
  const { name: host } = on.host;
  const imported = id === undefined ? {} : { imported: { id, passes: 0 } };
  const view = !isRehearsal && id === undefined;
  const order = {
    request: asRun(asked),
    project,
    host,
    actor: by,
    from: null,
    owns: null,
    view,
    ...imported,
  };
  const started = startedOnce(startLoop(order, runtime, { ...placed, baseline }));
  if (started.is === 'started') return { ok: true, open: started.open, proofs: started.proofs };
  await worktree?.discardUnchanged();
  return started;
}

async function stoppedBefore(worktree: OwnWorktree | null): Promise<Refusal> {
  const why = 'The run was stopped before its first iteration.';
  const again = 'No loop was made: type the command again to start it.';
  if (worktree === null) return refuse('stopped', why, again);
  if (await worktree.discardUnchanged())
    return refuse('stopped', `${why} The work tree was removed again.`, again);
  const remove = `git worktree remove --force ${shellWord(worktree.path)} removes it.`;
  return refuse('stopped', why, `The checks have changed files in the work tree, so it stays: ${remove}`);
}

export interface ContinueOrder extends Pick<BeginRun, 'by' | 'on'> {
  readonly choice: Choice;
  readonly planned: ((before: Plan) => Reading<Plan>) | null;
}

export function continueRun({ choice, planned, by, on }: ContinueOrder, runtime: Runtime): RunBegun {
  const taken = openToRun(choice, runtime);
  if (!taken.ok) return taken;
  const { open } = taken;
  const refusedNow = (refusal: RunRefused) => {
    open.close();
    return refusal;
  };
  const { project, ...loop } = open.loop();
  const isOther = loop.host !== on.host.name;
  const before = isOther ? forOtherHost(planOf(loop)) : planOf(loop);
  const plan = planned?.(before) ?? { ok: true as const, value: before };
  if (!plan.ok) return refusedNow(plan);
  const planted = refusePlanted(open, on.host, runtime);
  if (planted !== null) return refusedNow(planted);
  const host = fitHost(on, { project, plan: plan.value, costUsd: loop.limits.costUsd }, runtime);
  if (!host.ok) return refusedNow(host);
  if (planned !== null || isOther) {
    open.write({ type: 'planned', at: runtime.now(), by, plan: plan.value });
    open.keep();
  }
  return ready(open, host, { notes: [], proofs: [] }, runtime);
}

type FitHost = Extract<ReturnType<typeof preflightRun>, { ok: true }>;

/** What a host is to do, as far as it has to fit. */
export interface HostWork {
  readonly project: string;
  readonly plan: Plan;
  /** The most that the loop may cost. */
  readonly costUsd: number | null;
}

/**
 * Checks the host before anything is created or paid for: its version, its login and what its agents may do.
 */
export function fitHost(
  { host, program }: RunHost,
  { project, plan, costUsd }: HostWork,
  runtime: Runtime,
): FitHost | RunRefused {
  const isEstimated = costUsd !== null && !host.can.cost;
  if (isEstimated && plan.model !== null && pricesWith(runtime.store.config)(plan.model) === null)
    return refuse(
      'no-price',
      `--max-cost can't be kept: ${host.name} reports only tokens, and the price of ` +
        `${plan.model} is not known.`,
      'Use --max-tokens, or put the price into "prices" in config.json (docs/reference.md).',
    );
  const place = { project, env: runtime.env, platform: process.platform };
  // Before the host is even asked for its version: that would start it here.
  const refusal = refuseHost(host, project, runtime);
  if (refusal !== null) return refusal;
  const fit = preflightRun({ host, program }, place, plan);
  if (!fit.ok || !isEstimated) return fit;
  const words =
    `${host.name} reports no prices, so the cost is estimated from tokens at list prices. A model ` +
    'without a known price counts like the most expensive one.';
  return { ...fit, warnings: [...fit.warnings, words] };
}

export function preflightRun({ host, program }: RunHost, place: SettingsPlace, plan: Plan) {
  /** What the agents may do without asking; null: as the host's settings say. */
  const permissionMode = plan.permissionMode ?? host.unattendedMode(place);
  const pass = { permissionMode, allowedTools: plan.tools, extra: plan.extra };
  const findings = host.preflight({ ...place, program, uid: process.getuid?.() ?? null, pass });
  const problem = findings.find(({ level }) => level === 'problem');
  if (problem !== undefined) {
    const { id, says, remedy } = problem;
    return { ...refuse(id, says, remedy ?? 'dacapo doctor finds the cause.'), isHostUnfit: true };
  }
  const warnings = findings.filter(({ level }) => level === 'warning');
  const say = ({ says, remedy }: (typeof findings)[number]) => (remedy === null ? says : `${says} ${remedy}`);
  return { ok: true as const, permissionMode, warnings: warnings.map(say) };
}

function ready(
  open: OpenLoop,
  { permissionMode, warnings }: FitHost,
  begun: { readonly notes: readonly string[]; readonly proofs: readonly CheckProof[] },
  runtime: Runtime,
) {
  const beside = sayNeighbours(open.loop(), runtime);
  return { ok: true as const, open, permissionMode, warnings: [...warnings, ...beside], ...begun };
}

const MAX_LOOPS_LISTED = 3;

/** Other loops that work in the same files. Each loop takes the other's changes for its own progress. */
export function sayNeighbours({ id, project }: Pick<Loop, 'id' | 'project'>, runtime: Runtime): string[] {
  // As the screen shows them: a loop whose owner is gone is not live.
  const others = loopsUnder(project, runtime).filter(
    (loop) => loop.id !== id && loop.project === project && isLive(loop) && loop.session.owner !== null,
  );
  if (others.length === 0) return [];
  const [names, verb] = [few(others, title, MAX_LOOPS_LISTED).join(', '), others.length === 1 ? 'is' : 'are'];
  return [`${names} ${verb} at work in the same files. dacapo run --worktree keeps what loops do apart.`];
}

/** Nobody will be told how the loop ends. */
export function sayBadConfig({ store }: Runtime): string[] {
  const read = readUserConfig(store.config);
  if (read.ok) return [];
  const words = sayMisfit(read, join(store.place(), 'config.json'));
  return [`${words} Until you fix it, the targets in that file get no notifications.`];
}
