/** The fresh driver: a new agent for each pass, judged by the same law and written into the same journal as the hook. */
import { randomUUID } from 'node:crypto';
import { isLive, type Loop } from '../core/loop.ts';
import { freshBrief } from '../core/words-to-agent.ts';
import { TERMINAL } from '../core/words-to-person.ts';
import type { Seen } from '../hosts/claude-code/headless.ts';
import type { Sender, StopArrival } from '../hosts/host.ts';
import { bind } from '../hearing/ownership.ts';
import { interruptLoop, pauseLoop } from '../hearing/control.ts';
import { hearStop } from '../hearing/stop.ts';
import { taskOf } from '../hearing/task.ts';
import type { World } from '../hearing/world.ts';
import { dropSession } from '../journal/sessions.ts';
import type { OpenLoop } from '../journal/store.ts';
import { runPass } from './pass.ts';

export interface FreshRun {
  readonly program: string;
  readonly extra: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted: stop now. */
  readonly now: AbortSignal;
  /** Aborted: stop after this iteration. */
  readonly soon: AbortSignal;
  readonly begins: (loop: Loop) => void;
  readonly seen: (seen: Seen) => void;
  readonly judged: (toPerson: string) => void;
}

/** Runs passes until the loop is no longer live, and returns it. */
export async function runFresh(open: OpenLoop, run: FreshRun, world: World): Promise<Loop> {
  let first = true;
  for (;;) {
    if (!first && !isLive(open.look())) return open.loop();
    if (run.soon.aborted) return pauseLoop(open, 'terminal', 'command', world) ?? open.loop();
    first = false;
    const from = takeUp(open, world);
    run.begins(open.loop());
    const prompt = freshBrief(open.loop(), taskOf(open, open.loop()));
    const outcome = await runPass(
      { session: from.session, prompt, extra: run.extra },
      { program: run.program, cwd: open.loop().project, env: run.env, signal: run.now, seen: run.seen },
    );
    if (outcome.is === 'broken-off')
      return interruptLoop(open, 'session-end', 'broken off in the terminal', world);
    if (outcome.is === 'failed') return interruptLoop(open, 'fault', outcome.why, world);
    const answer = await hearStop(arrivalOf(from, outcome), world);
    if ('toPerson' in answer && answer.toPerson !== null) run.judged(answer.toPerson);
    dropSession(world.home, from.session);
  }
}

/** Each pass is a session of its own, held by this process. */
function takeUp(open: OpenLoop, world: World): Sender {
  const session = randomUUID();
  const from: Sender = {
    session,
    process: world.process,
    project: open.loop().project,
    prompt: session,
    commands: TERMINAL,
  };
  bind(open, from, 'fresh', session, world);
  open.keep();
  return from;
}

function arrivalOf(
  from: Sender,
  { message, toolUsed }: { readonly message: string; readonly toolUsed: boolean },
): StopArrival {
  return {
    is: 'stop',
    from,
    message,
    background: [],
    cap: null,
    attended: false,
    latch: false,
    surroundings: async () => ({ sessionBegan: null, othersLive: 0 }),
    look: (since) => ({ queue: since, taken: false, toolUsed }),
  };
}
