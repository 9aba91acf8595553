/** What a program may look at: promises in a text, validation rules, a journal as it grows. */
import type { Refusal } from '#base/refusal.ts';
import { flag, optional, value, whole } from '#input/schema/schema.ts';
import { openById, knownLoop } from '#engine/look/loops.ts';
import { followLoopEvents, type FollowOrder, type Following } from '#engine/look/follow.ts';
import { evaluatePromises, USUAL_PROMISES } from '#engine/agent/promises.ts';
import { readOwnRules, runRules, type RuleResult, type RulesRun } from '#engine/agent/validation-rules.ts';
import type { ValidationRule } from '#input/config/validation-rules.ts';
import { realPath } from '#base/files/paths.ts';
import { callback, env, signal, text, withRuntime, optionalText, type InEnvironment } from './runtime.ts';

export async function seePromises(message: string, promises: readonly string[] = USUAL_PROMISES) {
  return evaluatePromises(message, promises, new Date().toISOString());
}

export interface RulesRequest extends InEnvironment {
  readonly rules: readonly ValidationRule[];
  /** Its checks may be run, and its project is the ground of the rules. */
  readonly loop?: string;
  /** Without a loop. Default: the current folder. */
  readonly project?: string;
  /** What the agent said, for patterns without a file. */
  readonly output?: string;
  readonly signal?: AbortSignal;
  /** Called when a rule begins (`how` is null) and when it ends. */
  readonly progress?: (rule: string, how: RuleResult['state'] | null) => void;
}

/** `readRules` reads them strictly. */
const rules = value('a list of rules', null, (given): given is RulesRequest['rules'] => given !== undefined);

export async function runValidationRules(request: RulesRequest): Promise<RulesRun | Refusal> {
  return withRuntime(
    request,
    {
      rules,
      loop: optionalText,
      project: optionalText,
      output: optionalText,
      signal,
      progress: callback(),
      env,
    },
    async (runtime): Promise<RulesRun | Refusal> => {
      const { loop: id, project, output = null } = request;
      const own = readOwnRules(runtime.store);
      if (!own.ok) return own;
      const opened = id === undefined ? null : openById(id, runtime);
      if (opened?.ok === false) return opened;
      const loop = opened === null ? null : knownLoop(opened.open, runtime);
      opened?.open.close();
      const ground = loop?.project ?? realPath(project ?? process.cwd());
      return runRules({ ...request, project: ground, loop, output, own }, runtime);
    },
  );
}

export interface FollowRequest extends FollowOrder, InEnvironment {}

export async function followJournal(request: FollowRequest): Promise<Following> {
  return withRuntime(
    request,
    { loop: text, after: optional(whole(0)), signal, untilEnded: optional(flag), env },
    (runtime): Following => followLoopEvents(request, runtime),
  );
}
