/** What hooks look like as data. */
import { HookSpecError } from './refusal.ts';
import {
  annotated,
  byType,
  list,
  object,
  optional,
  recursive,
  value,
  whole,
  word,
  type Schema,
} from './schema.ts';
import type { ConditionSpec, HookSpec } from './spec.ts';

export const nonEmptyText: Schema<string> = value(
  'a text',
  { type: 'string', minLength: 1 },
  (given): given is string => typeof given === 'string' && given !== '',
);
const count = whole(1);
const texts = optional(list(nonEmptyText, 'a list of texts, and not empty', 1));
const maybeText = optional(nonEmptyText);
const maybeCount = optional(count);

const CONDITION = {
  phase: maybeText,
  fromIteration: maybeCount,
  untilIteration: maybeCount,
  files: optional(word('some', 'none')),
  under: maybeText,
  passing: maybeText,
  failing: maybeText,
  promise: optional(word('COMPLETE', 'BLOCKED', 'ESCALATE')),
};
const condition = annotated(
  { minProperties: 1 },
  object<ConditionSpec>('a condition', CONDITION),
  (given, path) => {
    if (Object.keys(Object(given)).length > 0) return;
    throw new HookSpecError(path, 'is empty', `Give at least one of ${Object.keys(CONDITION).join(', ')}.`);
  },
);

export const hookSpec: Schema<HookSpec> = recursive('spec', () => variants);
const hooks = list(hookSpec, 'a list of hooks, and not empty', 1);

const variants = byType<HookSpec>('hook', {
  default: {},
  validation: {},
  promise: {},
  tdd: { rule: maybeText },
  security: { rules: texts, maxIterations: maybeCount },
  'checkpoint-every': { iterations: count, phase: maybeText },
  'checkpoint-at': { iteration: count, phase: maybeText, milestone: maybeText },
  'real-work': { except: texts },
  'max-files': { files: whole(0) },
  'max-iterations': { iterations: count },
  'all-of': { hooks },
  'any-of': { hooks },
  when: { condition, hook: hookSpec },
});
