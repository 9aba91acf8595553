/**
 * `dacapo run --loop ID`: runs a loop with a new agent for each pass, in this terminal, headless.
 * Ctrl-C once stops after this iteration, twice stops now; both leave a loop that can go on.
 */
import { hasEnded, isLive, topFrame, type Loop } from '../core/loop.ts';
import { oneLine } from '../core/harmless.ts';
import { ofIterations } from '../core/say.ts';
import { sayStarted, sayStatus, title } from '../core/words-to-person.ts';
import { runFresh } from '../drivers/fresh.ts';
import type { World } from '../hearing/world.ts';
import type { Seen } from '../hosts/host.ts';
import { openLoop, type OpenLoop } from '../journal/store.ts';
import { findClaude } from './claude.ts';
import { exitCodeOf } from './exit-codes.ts';
import { noLoops, pickLoop } from './loops.ts';
import { fail, note, paint, say } from './terminal.ts';
import { cliWorld, ownerLives } from './world.ts';

const TEXT_SHOWN = 400;

export interface RunOptions {
  readonly loop: string | undefined;
  /** The host's own flags, behind `--`. */
  readonly extra: readonly string[];
}

export async function runRun({ loop: wanted, extra }: RunOptions): Promise<number> {
  const claude = findClaude(process.env);
  if (!claude.ok) return fail(claude.message, claude.next);
  const world = cliWorld();
  const picked = pickLoop(wanted, 'run --loop', (loop) => loop.driver === 'fresh' && !hasEnded(loop), world);
  if (picked.is === 'refused') return picked.exit;
  if (picked.is === 'none') return noLoops();
  const open = openLoop(world.home, picked.loop.id);
  if (open === null)
    return fail(`loop ${picked.loop.id} can't be read`, 'dacapo doctor looks for the cause.');
  try {
    const refusal = refusalOf(open.loop());
    return refusal === null
      ? await drive(open, claude.program, extra, world)
      : fail(refusal.what, refusal.next);
  } finally {
    open.close();
  }
}

function refusalOf(loop: Loop): { what: string; next: string } | null {
  if (hasEnded(loop))
    return {
      what: `loop ${title(loop)} ${sayStatus(loop)}`,
      next: `dacapo resume ${loop.id} reopens it, if it can go on.`,
    };
  const holder = loop.owner?.process ?? null;
  if (!isLive(loop) || holder === null || !ownerLives(holder, loop.boundAt)) return null;
  return {
    what: `loop ${title(loop)} is held by process ${holder}`,
    next: `dacapo pause ${loop.id} asks it to let go.`,
  };
}

async function drive(
  open: OpenLoop,
  program: string,
  extra: readonly string[],
  world: World,
): Promise<number> {
  const soon = new AbortController();
  const now = new AbortController();
  const interrupt = () => {
    if (soon.signal.aborted) now.abort();
    else note('Da Capo: stopping after this iteration; Ctrl-C again stops now.');
    soon.abort();
  };
  const terminate = () => {
    soon.abort();
    now.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', terminate);
  process.on('SIGHUP', terminate);
  // `dacapo run | head`: the agent must not work on where nobody looks.
  process.stdout.on('error', terminate);
  try {
    say(sayStarted(open.loop()));
    const loop = await runFresh(
      open,
      {
        program,
        extra,
        env: process.env,
        now: now.signal,
        soon: soon.signal,
        begins,
        seen: show,
        judged: say,
      },
      world,
    );
    if (!hasEnded(loop))
      say(`Da Capo: loop ${title(loop)} ${sayStatus(loop)}. dacapo run --loop ${loop.id} goes on.`);
    return exitCodeOf(loop.status.is);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', terminate);
    process.off('SIGHUP', terminate);
    process.stdout.off('error', terminate);
  }
}

function begins(loop: Loop): void {
  say(paint.bold(`— iteration ${ofIterations(loop, topFrame(loop).passes + 1)} —`));
}

function show(seen: Seen): void {
  if (seen.is === 'text') say(`  ${oneLine(seen.text, TEXT_SHOWN)}`);
  if (seen.is === 'tool') say(paint.dim(`  · ${oneLine(seen.name, 60)}`));
}
