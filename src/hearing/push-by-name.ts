/** For the library: a frame for a loop that is known by its id, in a process that is neither the hook nor the command line. */
import { parseStartWords } from '../core/arguments.ts';
import type { Mode } from '../core/events.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { findHome } from '../journal/home.ts';
import { openLoop } from '../journal/store.ts';
import { RUNNER } from './package.ts';
import { pushFrame } from './push.ts';
import { isAlive, type World } from './world.ts';

/** The flags of the start command, as far as they are about one frame; what is left out has their defaults. */
export interface FrameRequest {
  /** The id of a loop that runs. */
  readonly loop: string;
  readonly prompt: string;
  readonly promise?: string;
  readonly checks?: readonly string[];
  readonly features?: string;
  readonly watchFile?: string;
  readonly doneFolder?: string;
  readonly require?: 'all' | 'any';
  readonly minIterations?: number;
  readonly maxIterations?: number | 'unlimited';
  readonly as?: Mode;
  readonly items?: string;
  readonly itemsFrom?: string;
  readonly maxItems?: number;
  /** Where `DACAPO_HOME` is looked up; by default the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export type FramePushed =
  | {
      readonly ok: true;
      readonly loop: string;
      /** How many frames the loop has now. */
      readonly depth: number;
    }
  | Refusal;

export async function pushByName(request: FrameRequest): Promise<FramePushed> {
  const parsed = parseStartWords(wordsOf(request));
  if (!parsed.ok) return parsed;
  const env = request.env ?? process.env;
  const home = findHome(env, process.platform);
  const world: World = {
    home,
    isAlive,
    env,
    now: () => new Date().toISOString(),
    process: process.pid,
    started: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    runner: RUNNER,
    log: () => undefined,
  };
  const open = openLoop(home, request.loop);
  if (open === null)
    return refuse(
      'no-loop',
      `There is no loop ${JSON.stringify(request.loop)}.`,
      'Give the id of one that runs.',
    );
  try {
    const by = env['CLAUDECODE'] ? 'agent' : 'terminal';
    const pushed = await pushFrame(open, { request: parsed, by, prompt: null }, world);
    return pushed.ok ? { ok: true, loop: pushed.loop.id, depth: pushed.loop.frames.length } : pushed;
  } finally {
    open.close();
  }
}

/** The same grammar as for a person, so that the same is refused. */
function wordsOf({ loop: _loop, env: _env, prompt, checks = [], ...options }: FrameRequest): string[] {
  const flags = {
    '--completion-promise': options.promise,
    '--features': options.features,
    '--watch-file': options.watchFile,
    '--done-folder': options.doneFolder,
    '--require': options.require,
    '--min-iterations': options.minIterations,
    '--max-iterations': options.maxIterations,
    '--as': options.as,
    '--items': options.items,
    '--items-from': options.itemsFrom,
    '--max-items': options.maxItems,
  };
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return [
    ...given.map(([flag, value]) => `${flag}=${value}`),
    ...checks.map((check) => `--check=${check}`),
    '--nest',
    '--',
    prompt,
  ];
}
