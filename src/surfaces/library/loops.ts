/** Loops for programs: start one, put a task inside, ask for its state, list and cancel. */
import { inWords } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import { statSync } from 'node:fs';
import type { Note } from '#law/loop.ts';
import type { Mode } from '#law/record/definition.ts';
import { refuse, type Granted, type Refusal } from '#base/refusal.ts';
import { text as isText } from '#base/shape.ts';
import { readStartFields } from '#input/arguments.ts';
import { flag, list, optional, value, type ObjectOf } from '#input/schema/schema.ts';
import { chosenNames } from '#hosts/tables/names.ts';
import { pushFrame } from '#engine/begin/push.ts';
import { startForTool, type ToolStarted } from '#engine/agent/start-for-tool.ts';
import { loopsUnder, knownLoop, openById, whileOpen } from '#engine/look/loops.ts';
import { cancel } from '#engine/steer/control.ts';
import { actorOf } from '#engine/trust/people-only.ts';
import { realPath } from '#base/files/paths.ts';
import { statusOf, type LoopStatus } from '#telling/loop-status.ts';
import { env, text, withRuntime, optionalText, type InEnvironment } from './runtime.ts';

// The fields that define a loop or a frame are named as the flags that they stand for, and have their
// defaults.
const texts = optional(list(text, 'a list of texts'));

/** The flag parser checks for whole numbers and known words, because its messages are better. */
function one<T extends string | number>() {
  const fits = (given: unknown): given is T => isText(given) || typeof given === 'number';
  return optional(value('a text or a number', null, fits));
}

/** Those that concern one frame. */
export const FRAME = {
  prompt: text,
  promise: optionalText,
  checks: texts,
  features: optionalText,
  watchFile: optionalText,
  doneFolder: optionalText,
  require: one<'all' | 'any'>(),
  minIterations: one<number>(),
  maxIterations: one<number | 'unlimited'>(),
  as: one<Mode>(),
  items: optionalText,
  itemsFrom: optionalText,
  maxItems: one<number>(),
};

/** Those that concern the loop as a whole. Durations are written as in flags: `90s`, `15m`, `1h30m`. */
export const WHOLE = {
  name: optionalText,
  protect: texts,
  /**
   * Files that decide how the checks judge, beside the tests and configs that Da Capo knows; with `!` taken
   * away.
   */
  ground: texts,
  testsMayChange: optional(flag),
  redFirst: optional(flag),
  clean: optional(flag),
  setup: optionalText,
  /** Checks that the agent never sees. */
  heldOut: texts,
  /** `NAME=CMD`: the number that the command prints. */
  measures: texts,
  keep: texts,
  /** `NAME<=NUMBER` or `NAME>=NUMBER`. */
  targets: texts,
  confirm: one<number>(),
  /** Other agents that have to approve the work when all else holds: `codex`, `claude-code:opus`. */
  review: texts,
  /** A file that says what they have to look for. */
  rubric: optionalText,
  maxReviews: one<number>(),
  timeout: optionalText,
  staleAfter: optionalText,
  checkTimeout: optionalText,
  checksTimeout: optionalText,
  /** Start although a check can't be run yet. */
  checkLater: optional(flag),
  recheck: optionalText,
  parallel: one<number>(),
  maxCost: one<number>(),
  maxTokens: one<number>(),
  maxStalls: one<number | 'off'>(),
  /** Calls before which a person is asked. */
  approve: texts,
  /** Done only when a person confirms it. */
  approveDone: optional(flag),
  approvalTimeout: optionalText,
  approvalPolicy: one<'file' | 'person'>(),
  approvals: optionalText,
  /** Who is notified when the loop ends or needs a person: a URL or `desktop`. */
  notify: texts,
  /** A file, or `none`. Default: the config of the project, if a person has trusted it. */
  config: optionalText,
};

export type FrameFields = ObjectOf<typeof FRAME>;
export type WholeFields = ObjectOf<typeof WHOLE>;

export interface LoopRequest extends FrameFields, WholeFields, InEnvironment {
  /** The folder of the project. Default: the current folder. */
  readonly project?: string;
  /**
   * A session of the host that has Da Capo's hook: its stops are judged then. Without one, your program says
   * when a pass ends: `claim`, `block`, `endPass`.
   */
  readonly session?: string;
}

export type LoopStarted = ToolStarted | Refusal;

export async function startLoop(request: LoopRequest): Promise<LoopStarted> {
  return withRuntime(
    request,
    { ...FRAME, ...WHOLE, project: optionalText, session: optionalText, env },
    async (runtime): Promise<LoopStarted> => {
      const parsed = readStartFields(request.prompt, request);
      if (!parsed.ok) return parsed;
      const project = realPath(request.project ?? process.cwd());
      if (!statSync(project, { throwIfNoEntry: false })?.isDirectory())
        return refuse('no-project', `${project} is not a folder.`, 'Give the folder of the project.');
      const { session = null } = request;
      return startForTool({ request: parsed, project, host: chosenNames().name, session }, runtime);
    },
  );
}

export interface OneLoop extends InEnvironment {
  readonly loop: string;
}

export interface LoopFound {
  readonly ok: true;
  readonly loop: LoopStatus;
  /** What the agent wants its later passes to know. */
  readonly notes: readonly Note[];
}

export async function loopStatus(request: OneLoop): Promise<LoopFound | Refusal> {
  return withRuntime(request, { loop: text, env }, (runtime) => {
    return whileOpen(openById(request.loop, runtime), (open) => {
      const loop = knownLoop(open, runtime);
      return { ok: true as const, loop: statusOf(loop, runtime.now()), notes: loop.notes };
    });
  });
}

export interface LoopsRequest extends InEnvironment {
  /** The loops of this folder and below. Default: the current folder. */
  readonly project?: string;
  /** Those of every project. */
  readonly all?: boolean;
}

/** Those that have not ended first, then the newest. */
export async function listLoops(
  request: LoopsRequest = {},
): Promise<Granted<{ loops: readonly LoopStatus[] }>> {
  return withRuntime(request, { project: optionalText, all: optional(flag), env }, (runtime) => {
    const root = request.all === true ? null : realPath(request.project ?? process.cwd());
    return {
      ok: true as const,
      loops: loopsUnder(root, runtime).map((loop) => statusOf(loop, runtime.now())),
    };
  });
}

/** `cancelled`: false if it had already ended. */
export async function cancelLoop(request: OneLoop): Promise<Granted<{ readonly cancelled: boolean }>> {
  return withRuntime(request, { loop: text, env }, (runtime) => {
    const { loop: id } = request;
    const answer = cancel({ id, root: process.cwd() }, actorOf(runtime.env), runtime);
    return answer.ok
      ? { ok: true as const, cancelled: answer.cancelled.length > 0 }
      : inWords(answer, inTerminal);
  });
}

export interface FrameRequest extends FrameFields, InEnvironment {
  /** The id of a running loop. */
  readonly loop: string;
}

/** `depth`: how many frames the loop has now. */
export type FramePushed = Granted<{ readonly loop: string; readonly depth: number }>;

export async function pushByName(request: FrameRequest): Promise<FramePushed> {
  return withRuntime(request, { loop: text, ...FRAME, env }, async (runtime): Promise<FramePushed> => {
    const parsed = readStartFields(request.prompt, { ...request, nest: true });
    if (!parsed.ok) return parsed;
    const order = { request: parsed, by: actorOf(runtime.env), prompt: null };
    const pushed = await whileOpen(openById(request.loop, runtime), (open) =>
      pushFrame(open, order, runtime),
    );
    return pushed.ok ? { ok: true, loop: pushed.loop.id, depth: pushed.loop.around.length + 1 } : pushed;
  });
}
