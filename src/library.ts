/** What the library does with loops, in a process that is neither the hook nor the command line. */
import { parseStartWords } from './flags/arguments.ts';
import type { Mode } from './core/record/definition.ts';
import { nearest } from './flags/did-you-mean.ts';
import { refuse, type Refusal } from './core/refusal.ts';
import { either, isRecord, list, text, type Shape } from './core/shape.ts';
import { findHome } from './store/file/home.ts';
import { fileStore } from './store/file/store.ts';
import { RUNNER } from './process/package.ts';
import { handOf } from './operations/trust/people-only.ts';
import { pushFrame } from './operations/begin/push.ts';
import { isAlive, type Runtime } from './store/runtime.ts';

/** The flags of the start command that concern one frame. Fields left out have the defaults of those flags. */
export interface FrameRequest {
  /** The id of a running loop. */
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
  /** Where to look up `DACAPO_HOME`; by default the environment of this process. */
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
  const misfit = misfitIn(request);
  if (misfit !== null) return misfit;
  const parsed = parseStartWords(wordsOf(request));
  if (!parsed.ok) return parsed;
  const env = request.env ?? process.env;
  const store = fileStore(findHome(env, process.platform));
  const world: Runtime = {
    store,
    isAlive,
    env,
    now: () => new Date().toISOString(),
    process: process.pid,
    started: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    runner: RUNNER,
    log: () => undefined,
  };
  const open = store.open(request.loop);
  if (open === null)
    return refuse(
      'no-loop',
      `There is no loop ${JSON.stringify(request.loop)}.`,
      'Give the id of one that runs.',
    );
  try {
    const pushed = await pushFrame(open, { request: parsed, by: handOf(env), prompt: null }, world);
    return pushed.ok ? { ok: true, loop: pushed.loop.id, depth: pushed.loop.frames.length } : pushed;
  } finally {
    open.close();
  }
}

/** The flag parser checks for whole numbers, because its messages are better. */
const word = either(text, (value): value is number => typeof value === 'number');
const FIELDS: Readonly<Record<keyof FrameRequest, Shape<unknown>>> = {
  loop: text,
  prompt: text,
  promise: text,
  checks: list(text),
  features: text,
  watchFile: text,
  doneFolder: text,
  require: text,
  minIterations: word,
  maxIterations: word,
  as: text,
  items: text,
  itemsFrom: text,
  maxItems: word,
  env: isRecord,
};

/** Plain JavaScript callers can pass anything. A misspelt gate must not be dropped silently. */
function misfitIn(request: unknown): Refusal | null {
  const known = Object.keys(FIELDS);
  if (!isRecord(request))
    return refuse('bad-request', 'The request is no object.', `It has: ${known.join(', ')}.`);
  const shapes = new Map<string, Shape<unknown>>(Object.entries(FIELDS));
  for (const [key, value] of Object.entries(request)) {
    const shape = shapes.get(key);
    if (shape === undefined)
      return refuse(
        'bad-request',
        `${JSON.stringify(key)} is no field of a frame.`,
        `${suggestion(key, known)}It has: ${known.join(', ')}.`,
      );
    if (value !== undefined && !shape(value))
      return refuse(
        'bad-request',
        `The field ${key} is of the wrong kind.`,
        key === 'checks' ? 'Give a list of commands.' : 'Give a text, or a number where it counts something.',
      );
  }
  return null;
}

function suggestion(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return near === null ? '' : `Did you mean ${near}? `;
}

/** Uses the flag parser of the command line, so that both refuse the same requests. */
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
