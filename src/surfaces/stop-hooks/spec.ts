/** Hooks as data: the schema of that data, how bad data is refused, and hooks that carry their own. */
import { ConfigError } from '#input/schema/misfit.ts';
import * as s from '#input/schema/schema.ts';
import type { AgentContext, StopHook } from './types.ts';

/** Says where data that a person wrote is wrong, what is wrong there, and what to do now. */
export class HookSpecError extends ConfigError {
  override readonly name = 'HookSpecError';
  readonly code = 'hook-spec';
}

export function assertFits<T>(schema: s.Schema<T>, value: unknown, path: string): asserts value is T {
  const read = s.readWith(schema, value, path);
  if (!read.ok) throw new HookSpecError(read.misfit.path, read.misfit.problem, read.misfit.next);
}

export const nonEmptyText: s.Schema<string> = s.value(
  'a text',
  { type: 'string', minLength: 1 },
  (given): given is string => typeof given === 'string' && given !== '',
);
const count = s.whole(1);
const texts = s.optional(s.list(nonEmptyText, 'a list of texts, and not empty', 1));
const maybeText = s.optional(nonEmptyText);
const maybeCount = s.optional(count);

const CONDITION = {
  phase: maybeText,
  fromIteration: maybeCount,
  untilIteration: maybeCount,
  files: s.optional(s.word('some', 'none')),
  /** A file whose path begins with this was modified. */
  under: maybeText,
  passing: maybeText,
  /** This rule does not pass, or was not tested. */
  failing: maybeText,
  promise: s.optional(s.word('COMPLETE', 'BLOCKED', 'ESCALATE')),
};
/** All given fields must hold. */
export type ConditionSpec = s.ObjectOf<typeof CONDITION>;
const condition = s.annotated({ minProperties: 1 }, s.fields('a condition', CONDITION), (given, path) => {
  if (Object.keys(Object(given)).length > 0) return;
  throw new ConfigError(path, 'is empty', `Give at least one of ${Object.keys(CONDITION).join(', ')}.`);
});

const SINGLE = {
  default: {},
  validation: {},
  promise: {},
  tdd: {
    /** The validation rule for the tests. Default: `tests_pass`. */
    rule: maybeText,
  },
  security: {
    /** All of these must pass. Default: `vulns_fixed` and `sast_clean`. */
    rules: texts,
    /** From this iteration on a person has to look. Default: 10. */
    maxIterations: maybeCount,
  },
  'checkpoint-every': { iterations: count, phase: maybeText },
  'checkpoint-at': { iteration: count, phase: maybeText, milestone: maybeText },
  'real-work': {
    /** Files that do not count as work: paths relative to the project, folders with a slash at their end. */
    except: texts,
  },
  'max-files': { files: s.whole(0) },
  'max-iterations': { iterations: count },
};

type Single = { [T in keyof typeof SINGLE]: { readonly type: T } & s.ObjectOf<(typeof SINGLE)[T]> };

/** A hook as plain data: it can be written into a file, and `fromSpec` turns it back into a hook. */
export type HookSpec =
  | Single[keyof Single]
  | { readonly type: 'all-of' | 'any-of'; readonly hooks: readonly HookSpec[] }
  | { readonly type: 'when'; readonly condition: ConditionSpec; readonly hook: HookSpec };

export type HookOptionsOf<T extends keyof Single> = Partial<Omit<Single[T], 'type'>>;

export const hookSpec: s.Schema<HookSpec> = s.recursive('spec', () => variants);
const hooks = s.list(hookSpec, 'a list of hooks, and not empty', 1);
const FIELDS = { ...SINGLE, 'all-of': { hooks }, 'any-of': { hooks }, when: { condition, hook: hookSpec } };
const variants = s.byType<HookSpec>('hook', FIELDS);

export const HOOK_TYPES = Object.keys(FIELDS) as readonly HookSpec['type'][];

export type DeclaredHook = StopHook & { readonly spec: HookSpec };

/**
 * The data is a property of the function, not an entry in a table of ours: see `abstain` on two copies of
 * this library. We check it here, so that `maxFiles(-1)` fails where it is written, in code as well as in a
 * file.
 */
export function declared(spec: HookSpec, hook: StopHook): DeclaredHook {
  assertFits(hookSpec, spec, 'hook');
  return Object.assign((context: AgentContext) => hook(context), { spec });
}

/** Returns null for a hook with user code in it: a function can't be stored. */
export function toSpec(hook: StopHook): HookSpec | null {
  return 'spec' in hook && isSpec(hook.spec) ? structuredClone(hook.spec) : null;
}

export function isSpec(data: unknown): data is HookSpec {
  return s.readWith(hookSpec, data, 'hook').ok;
}

/** Whether it looks at the files that changed. Finding those out takes git a while, at every stop. */
export function looksAtFiles(spec: HookSpec): boolean {
  if ('hooks' in spec) return spec.hooks.some(looksAtFiles);
  if (spec.type === 'when')
    return (spec.condition.files ?? spec.condition.under) !== undefined || looksAtFiles(spec.hook);
  return spec.type === 'real-work' || spec.type === 'max-files';
}
