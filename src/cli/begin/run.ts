/**
 * `dacapo run`: a loop in this terminal, with a new agent for each pass. It makes one, or takes one up wherever it was
 * left: by an earlier run, or by a session.
 */
import { hasEnded, isLive, type Loop } from '../../core/loop.ts';
import { DEFAULT_PLAN, planOf } from '../../core/plan.ts';
import { sayStatus } from '../../text/status.ts';
import { title } from '../../text/to-person.ts';
import { openWatchdog } from '../../process/watchdog.ts';
import { configuredFor } from '../../proofs/stop-hooks/configured-for.ts';
import { firstItem } from '../../operations/items.ts';
import { protectionFor } from '../../operations/protection.ts';
import { startLoop } from '../../operations/start.ts';
import type { World } from '../../store/runtime.ts';
import { claudeCodeHeadless } from '../../hosts/claude-code/headless/command.ts';
import { openLoop, type OpenLoop } from '../../store/open-loop.ts';
import { findClaude } from '../setup/claude.ts';
import { driveHere } from './drive.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { prepareGit, withoutGit } from './git.ts';
import { findLoops, pickLoop } from '../loops.ts';
import { sayNeighbours } from './same-files.ts';
import { DEFAULT_NAME } from '../../hosts/names.ts';
import { here } from '../project.ts';
import { lookAtHost, type HostReady } from './preflight.ts';
import { readRunLine, type RunLine } from './run-line.ts';
import { fail, failFor, note } from '../terminal/terminal.ts';
import { openUnshown } from '../terminal/view-errors.ts';
import { cliWorld, hand, ownerLives } from '../runtime.ts';
import { sayWhere } from './worktree.ts';

/** Seed 003: an hour of work, where nothing else is said. */
const WORK_MS = 3_600_000;

export async function runRun(words: readonly string[]): Promise<number> {
  const line = readRunLine(words, DEFAULT_PLAN, claudeCodeHeadless);
  if (!line.ok) return failFor(line, EXIT.usage);
  const claude = findClaude(process.env);
  if (!claude.ok) return fail(claude.message, claude.next);
  const { program } = claude;
  const unshown = openUnshown();
  const world = { ...cliWorld(), unshown: unshown.hear };
  // Before the host is asked about itself: meanwhile it starts.
  const watchdog = openWatchdog(process.env);
  try {
    const ready = await beginOrTakeOn(line.value, program, world);
    if (typeof ready === 'number') return ready;
    const { open } = ready;
    try {
      const beside = sayNeighbours(open.loop(), findLoops(false, world));
      const host = { ...ready.host, warnings: [...ready.host.warnings, ...beside] };
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

interface Ready {
  readonly open: OpenLoop;
  readonly host: HostReady;
}

async function beginOrTakeOn(line: RunLine, program: string, world: World): Promise<Ready | number> {
  if (line.what.is === 'run') return begin(line.what, line.worktree, program, world);
  const open = takeOn(line.what.loop, world);
  if (typeof open === 'number') return open;
  const host = replanned(open, line, program, world);
  if (typeof host !== 'number') return { open, host };
  open.close();
  return host;
}

/** The flags of its passes may be given anew. */
function replanned(open: OpenLoop, line: RunLine, program: string, world: World): HostReady | number {
  const planned = line.planned(planOf(open.loop()));
  if (!planned.ok) return failFor(planned);
  const plan = planned.value;
  const host = lookAtHost(program, open.loop().project, plan);
  if (typeof host !== 'number' && line.plans) {
    open.write({ type: 'planned', at: world.now(), by: hand(), plan });
    open.keep();
  }
  return host;
}

async function begin(
  what: Extract<RunLine['what'], { is: 'run' }>,
  worktree: boolean,
  program: string,
  world: World,
): Promise<Ready | number> {
  const configured = await configuredFor({ project: here(), config: what.request.config }, world);
  if (configured?.ok === false) return failFor(configured);
  const first = await firstItem(what.request, here(), world);
  if (!first.ok) return failFor(first);
  const protectable = protectionFor(what.request, here());
  if (protectable?.ok === false) return failFor(protectable);
  const gitless = await withoutGit(here(), what.plan, worktree);
  if (gitless !== null) return failFor(gitless);
  // Last of all that may refuse, as it takes longest, and before anything is made.
  const host = lookAtHost(program, here(), what.plan);
  if (typeof host === 'number') return host;
  const prepared = await prepareGit(here(), what.plan, worktree, world.home);
  if (!prepared.ok) return failFor(prepared);
  for (const line of prepared.says) note(`Da Capo: ${line}`);
  const { project, plan } = prepared;
  // In a work tree of its own it has files of its own.
  const protection = project === here() ? protectable : protectionFor(what.request, project);
  if (protection?.ok === false) return failFor(protection);
  const request = { ...what.request, driver: 'fresh' as const, timeoutMs: what.request.timeoutMs ?? WORK_MS };
  const started = startLoop(
    {
      request,
      project,
      host: DEFAULT_NAME,
      hand: hand(),
      from: null,
      owns: null,
      view: true,
      item: first.item,
      configured,
      protection,
    },
    world,
  );
  if (started.is === 'again') throw new Error('a start without a session is never delivered twice');
  if (started.is === 'refused') return fail(`${started.why}.`, `dacapo cancel ${started.loop.id} ends it.`);
  started.open.write({ type: 'planned', at: world.now(), by: hand(), plan });
  return { open: started.open, host };
}

function takeOn(wanted: string | null, world: World): OpenLoop | number {
  const picked = pickLoop(wanted ?? undefined, 'run --loop', isWaiting, world);
  if (picked.is === 'refused') return picked.exit;
  if (picked.is === 'none')
    return fail(
      'no loop of this project waits to be run.',
      'dacapo run "PROMPT" begins one; dacapo list shows those that are there.',
    );
  const open = openLoop(world.home, picked.loop.id);
  if (open === null)
    return fail(`loop ${picked.loop.id} can't be read`, 'dacapo doctor looks for the cause.');
  const refusal = refusalOf(open.loop());
  if (refusal === null) return open;
  open.close();
  return fail(refusal.what, refusal.next);
}

/** Without an id: a loop that nobody is at work on. */
function isWaiting(loop: Loop): boolean {
  return !hasEnded(loop) && (loop.driver === 'fresh' || loop.status.is !== 'running');
}

export function refusalOf(loop: Loop): { what: string; next: string } | null {
  if (hasEnded(loop))
    return {
      what: `loop ${title(loop)} ${sayStatus(loop)}`,
      next: `dacapo resume ${loop.id} reopens it, if it can go on.`,
    };
  const holder = loop.owner?.process ?? null;
  if (!isLive(loop) || holder === null || !ownerLives(holder, loop.boundAt)) return null;
  const who = loop.driver === 'fresh' ? 'another dacapo run' : 'its session';
  return {
    what: `loop ${title(loop)} is held by process ${holder} (${who})`,
    next: `dacapo pause ${loop.id} asks it to let go; then run it here.`,
  };
}
