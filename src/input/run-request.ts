/**
 * What a new run is asked for: its loop, and the plan of its passes. These rules hold wherever a run is
 * begun.
 */
import { DEFAULT_PLAN, type Plan } from '#law/record/plan.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { startRequest, type StartRequest } from './arguments.ts';
import { nearest, quoteTyped } from '#base/words/did-you-mean.ts';
import { flagsIn } from './flag.ts';
import { LOOP_FLAGS } from './loop-flags.ts';
import { PLAN_FLAGS } from './run-flags.ts';
import type { Reading } from './values.ts';
import { readFlags, type FlagLine, type FlagValues } from './words.ts';

export interface RunRequest {
  readonly request: StartRequest;
  readonly plan: Plan;
}

/** For values that stand beside their flags already. `modes`: as `readPlan` takes them. */
export function readRunFlags(
  given: FlagValues,
  prompt: string,
  modes: readonly string[],
): Reading<RunRequest> {
  const twice = flagsIn({ ...LOOP_FLAGS, ...PLAN_FLAGS }).find(
    ({ flag, repeatable }) => !repeatable && (given.get(flag) ?? []).length > 1,
  );
  if (twice !== undefined) return refuse('flag-twice', `${twice.flag} is given twice.`, 'Give it once.');
  const line = { words: [], given };
  const plan = readPlan(line, DEFAULT_PLAN, modes);
  return plan.ok ? readRunRequest(line, plan.value, prompt) : plan;
}

/** `modes`: the permission modes that the host knows; empty: any. */
export function readPlan({ given }: FlagLine, before: Plan, modes: readonly string[]): Reading<Plan> {
  const read = readFlags(PLAN_FLAGS, given);
  if (!read.ok) return read;
  const context = compacted(read.value.context ?? before.context, given, before);
  const plan = { ...before, ...read.value, context };
  return unknownMode(plan, modes) ?? { ok: true, value: plan };
}

/** `--continue` goes with `--compact-every` of the same line, in any order, or of an earlier run. */
function compacted(context: Plan['context'], given: FlagValues, before: Plan): Plan['context'] {
  if (context.is === 'new' || context.compactEvery !== null) return context;
  const [every] = given.get('--compact-every') ?? [];
  if (every !== undefined) return { ...context, compactEvery: Number(every) };
  return before.context.is === 'same' ? before.context : context;
}

export function readRunRequest(line: FlagLine, plan: Plan, prompt?: string): Reading<RunRequest> {
  const read = startRequest(line, prompt, 'fresh');
  if (!read.ok) return read;
  const { ok: _, ...request } = read;
  if (request.nest)
    return refuse(
      'nest-in-a-run',
      "--nest can't be given here: a run has no session to put a task inside.",
      'Leave it out; dacapo start --nest puts a task inside a running loop.',
    );
  if (request.driver === 'hook' && line.given.has('--mode'))
    return refuse(
      'mode-of-a-run',
      "--mode hook can't be given here: dacapo run starts a new agent for each iteration.",
      'Leave --mode out; dacapo start works in one session.',
    );
  const { context } = plan;
  if (context.is === 'new' && context.of === 'features' && request.features === null)
    return refuse(
      'features-of-none',
      `--fresh-every ${context.every}f counts features, but there is no feature list.`,
      `Give one with --features FILE, or count iterations: --fresh-every ${context.every}.`,
    );
  return { ok: true, value: { request, plan } };
}

/**
 * Otherwise the host would refuse it after everything has been created. A mode that only a newer version knows
 * can follow `--`, in the flag that this agent has for it. By ACP the modes are ours.
 */
function unknownMode({ permissionMode: mode }: Plan, known: readonly string[]): Refusal | null {
  if (mode === null || known.includes(mode)) return null;
  if (known.length === 0)
    return refuse(
      'permission-mode',
      'This coding agent has no permission modes.',
      'Leave --permission-mode out.',
    );
  const near = nearest(mode, known);
  return refuse(
    'permission-mode',
    `--permission-mode takes ${known.slice(0, -1).join(', ')} or ${known.at(-1)}, not ` +
      `${quoteTyped(mode)}${near === null ? '' : `; the nearest one is ${near}`}.`,
    'Leave it out for the safe default. Flags of the agent itself go after --.',
  );
}
