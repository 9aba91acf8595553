/**
 * `dacapo run`: drives a loop in this terminal, with a new agent for each pass. It makes a new loop or continues one
 * that an earlier run or a session left.
 */
import { DEFAULT_PLAN, planOf } from '../../core/record/plan.ts';
import { oneLine } from '../../core/words/sanitize.ts';
import { openWatchdog } from '../../process/watchdog.ts';
import { prepare, filesIn } from '../../operations/begin/prepare.ts';
import { startLoop, startedOnce } from '../../operations/begin/start.ts';
import { openToRun } from '../../operations/begin/take-up.ts';
import { sayUnreachable } from '../../sinks/unreachable.ts';
import type { Runtime } from '../../store/runtime.ts';
import { HOST } from '../../hosts/default-host.ts';
import { keepEvidence } from '../../store/evidence.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { noteBadConfig, sayNeighbours } from './warnings.ts';
import { driveHere } from './drive.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { baselineUnlessStopped, stoppedBefore } from './first-checks.ts';
import { prepareGit, withoutGit } from './git.ts';
import { choiceOf, findLoops } from '../loops.ts';
import { here } from '../project.ts';
import { lookAtHost, type HostReady } from './preflight.ts';
import { readRunLine, type RunLine } from './run-line.ts';
import { printable } from '../terminal/printable.ts';
import { fail, failFor, note, paint } from '../terminal/terminal.ts';
import { openUnshown } from '../terminal/view-errors.ts';
import { cliWorld, hand } from '../runtime.ts';
import { untilLetGo } from '../until-let-go.ts';
import { sayWhere } from './worktree.ts';
import { setUpWorktree } from './worktree-setup.ts';

/** The default limit is an hour of work, because nobody watches a run. */
const WORK_MS = 3_600_000;

export async function runRun(words: readonly string[]): Promise<number> {
  const line = readRunLine(words, DEFAULT_PLAN, HOST.headless);
  if (!line.ok) return failFor(line, EXIT.usage);
  const found = HOST.program.find(process.env);
  if (!found.ok) return fail(found.message, found.next);
  const { program } = found;
  const unshown = openUnshown();
  const world = { ...cliWorld(), unshown: unshown.hear };
  // Opened before we query the host, so that the watchdog starts up meanwhile.
  const watchdog = openWatchdog(process.env);
  try {
    const ready = await beginOrTakeOn(line.value, program, world);
    if (typeof ready === 'number') return ready;
    const { open } = ready;
    try {
      const beside = sayNeighbours(open.loop(), findLoops(false, world));
      const unreachable = sayUnreachable(open.loop().notify, world);
      const host = { ...ready.host, warnings: [...ready.host.warnings, ...beside, ...unreachable] };
      const code = await driveHere(open, { program, as: line.value.as, host, watchdog, unshown }, world);
      for (const words of await sayWhere(open.look(), world)) note(words);
      return code;
    } finally {
      open.close();
    }
  } finally {
    watchdog.close();
  }
}

/** The longest command shown in a line of its own. */
const COMMAND = 120;

/**
 * Shows the output of the command that prepares a work tree. That command runs project scripts, so the text is
 * sanitized.
 */
function show(text: string): void {
  process.stderr.write(printable(text.replaceAll('\r', '\n'), paint.isColorSupported));
}

interface Ready {
  readonly open: OpenLoop;
  readonly host: HostReady;
}

async function beginOrTakeOn(line: RunLine, program: string, world: Runtime): Promise<Ready | number> {
  if (line.what.is === 'run') return begin(line.what, line, program, world);
  const choice = choiceOf(line.what.loop ?? undefined);
  const taken = await untilLetGo(() => openToRun(choice, world));
  if (!taken.ok) return failFor(taken);
  const { open } = taken;
  const host = replanned(open, line, program, world);
  if (typeof host !== 'number') return { open, host };
  open.close();
  return host;
}

/** Applies new plan flags to an existing loop. */
function replanned(open: OpenLoop, line: RunLine, program: string, world: Runtime): HostReady | number {
  const planned = line.planned(planOf(open.loop()));
  if (!planned.ok) return failFor(planned);
  const plan = planned.value;
  const host = lookAtHost(program, open.loop().project, plan, world);
  if (typeof host !== 'number' && line.plans) {
    open.write({ type: 'planned', at: world.now(), by: hand(), plan });
    open.keep();
  }
  return host;
}

async function begin(
  what: Extract<RunLine['what'], { is: 'run' }>,
  { worktree, worktreeSetup }: Pick<RunLine, 'worktree' | 'worktreeSetup'>,
  program: string,
  world: Runtime,
): Promise<Ready | number> {
  const checked = await prepare(what.request, here(), world);
  if (!checked.ok) return failFor(checked);
  const gitless = await withoutGit(here(), what.plan, worktree);
  if (gitless !== null) return failFor(gitless);
  // This check takes longest, so it comes last, but before anything is created.
  const host = lookAtHost(program, here(), what.plan, world);
  if (typeof host === 'number') return host;
  const git = await prepareGit(here(), what.plan, worktree, world.store);
  if (!git.ok) return failFor(git);
  for (const line of git.says) note(`Da Capo: ${line}`);
  noteBadConfig(world);
  const { project, plan } = git;
  if (worktreeSetup !== null) note(`Da Capo: prepares the work tree: ${oneLine(worktreeSetup, COMMAND)}`);
  const setUp =
    worktreeSetup === null ? null : await setUpWorktree(worktreeSetup, project, world.runner, show);
  if (setUp?.ok === false) {
    await git.worktree?.discard();
    return failFor(setUp);
  }
  const placed = project === here() ? checked : filesIn(project, what.request, checked);
  if (!placed.ok) {
    await git.worktree?.discard();
    return failFor(placed);
  }
  const baseline = await baselineUnlessStopped(what.request, project, placed.configured, world);
  if (baseline === null) return stoppedBefore(git.worktree);
  const prepared = { ...placed, baseline };
  const request = { ...what.request, driver: 'fresh' as const, timeoutMs: what.request.timeoutMs ?? WORK_MS };
  const order = { request, project, hand: hand(), from: null, owns: null, view: true };
  const started = startedOnce(startLoop({ ...order, host: HOST.headless.name }, world, prepared));
  if (started.is === 'refused') {
    await git.worktree?.discardUnchanged();
    return failFor(started);
  }
  if (setUp !== null) keepEvidence(started.open.blobs, 'worktree-setup.txt', setUp.output);
  started.open.write({ type: 'planned', at: world.now(), by: hand(), plan });
  return { open: started.open, host };
}
