/**
 * The strict reader of hooks that were written as data. What it does not know is an error: a guard whose name was
 * mistyped, and which was therefore passed over, would guard nothing.
 */
import { isRecord, named } from './result.ts';
import type { ConditionSpec, HookSpec } from './spec.ts';

export class HookSpecError extends Error {
  override readonly name = 'HookSpecError';
  readonly code = 'hook-spec';
  /** Where in the data, for example `hook.hooks[1].files`. */
  readonly path: string;
  /** What the person can do now. */
  readonly next: string;

  constructor(path: string, problem: string, next: string) {
    super(`${path} ${problem}. ${next}`);
    this.path = path;
    this.next = next;
  }
}

/** Deeper than anybody writes; and data that holds itself comes to an end. */
const DEEPEST = 16;

/** Throws when the value is not what it should be. */
type Check = (value: unknown, path: string, depth: number) => void;
interface Field {
  readonly check: Check;
  readonly optional?: true;
}
type Fields = Readonly<Record<string, Field>>;

const text: Check = (value, path) => {
  if (typeof value !== 'string' || value === '') throw wrong(path, 'a text', value);
};
const count: Check = (value, path) => {
  if (!Number.isSafeInteger(value) || Number(value) < 1) throw wrong(path, 'a whole number from 1', value);
};
const countOrZero: Check = (value, path) => {
  if (value !== 0) count(value, path, 0);
};
const texts: Check = (value, path, depth) =>
  nonEmpty(value, path, 'texts', (item, at) => text(item, at, depth));
const hooks: Check = (value, path, depth) =>
  nonEmpty(value, path, 'hooks', (item, at) => assertSpec(item, at, depth + 1));
const hook: Check = (value, path, depth) => assertSpec(value, path, depth + 1);

const NONE: Fields = {};
const CHAIN: Fields = { hooks: { check: hooks } };

const FIELDS: Readonly<Record<HookSpec['type'], Fields>> = {
  default: NONE,
  validation: NONE,
  promise: NONE,
  tdd: { rule: { check: text, optional: true } },
  security: { rules: { check: texts, optional: true }, maxIterations: { check: count, optional: true } },
  'checkpoint-every': { iterations: { check: count }, phase: { check: text, optional: true } },
  'checkpoint-at': {
    iteration: { check: count },
    phase: { check: text, optional: true },
    milestone: { check: text, optional: true },
  },
  'real-work': { except: { check: texts, optional: true } },
  'max-files': { files: { check: countOrZero } },
  'max-iterations': { iterations: { check: count } },
  'all-of': CHAIN,
  'any-of': CHAIN,
  when: { condition: { check: condition }, hook: { check: hook } },
};

const CONDITION: Readonly<Record<keyof ConditionSpec, Field>> = {
  phase: { check: text, optional: true },
  fromIteration: { check: count, optional: true },
  untilIteration: { check: count, optional: true },
  files: { check: oneOf('some', 'none'), optional: true },
  under: { check: text, optional: true },
  passing: { check: text, optional: true },
  failing: { check: text, optional: true },
  promise: { check: oneOf('COMPLETE', 'BLOCKED', 'ESCALATE'), optional: true },
};

export function assertSpec(value: unknown, path = 'hook', depth = 0): asserts value is HookSpec {
  if (!isRecord(value)) throw wrong(path, 'an object with a type', value);
  if (depth > DEEPEST)
    throw new HookSpecError(path, 'is nested too deeply', `At most ${DEEPEST} levels are read.`);
  const { type, ...given } = value;
  if (!isType(type)) {
    const known = `Known types: ${Object.keys(FIELDS).join(', ')}.`;
    throw new HookSpecError(`${path}.type`, `is ${named(type)}, which is not the type of a hook`, known);
  }
  checkFields(given, FIELDS[type], path, `a hook of type ${type}`, depth);
}

function condition(value: unknown, path: string): void {
  if (!isRecord(value)) throw wrong(path, 'an object', value);
  checkFields(value, CONDITION, path, 'a condition', 0);
  if (Object.keys(value).length > 0) return;
  throw new HookSpecError(path, 'is empty', `Give at least one of ${Object.keys(CONDITION).join(', ')}.`);
}

function checkFields(
  given: Record<string, unknown>,
  fields: Fields,
  path: string,
  owner: string,
  depth: number,
): void {
  const allowed = Object.keys(fields);
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(fields, key)) continue;
    const next = allowed.length > 0 ? `It has: ${allowed.join(', ')}.` : 'It has no fields beside its type.';
    throw new HookSpecError(`${path}.${key}`, `is not a field of ${owner}`, next);
  }
  for (const [key, { check, optional }] of Object.entries(fields)) {
    if (Object.hasOwn(given, key)) check(given[key], `${path}.${key}`, depth);
    else if (!optional)
      throw new HookSpecError(`${path}.${key}`, 'is missing', `Every ${owner.slice(2)} has one.`);
  }
}

function nonEmpty(
  value: unknown,
  path: string,
  things: string,
  each: (item: unknown, at: string) => void,
): void {
  if (!Array.isArray(value) || value.length === 0)
    throw wrong(path, `a list of ${things}, and not empty`, value);
  for (const [index, item] of value.entries()) each(item, `${path}[${index}]`);
}

function oneOf(...words: readonly string[]): Check {
  return (value, path) => {
    if (!words.some((word) => word === value)) throw wrong(path, words.join(' or '), value);
  };
}

function isType(type: unknown): type is HookSpec['type'] {
  return typeof type === 'string' && Object.hasOwn(FIELDS, type);
}

function wrong(path: string, wanted: string, value: unknown): HookSpecError {
  return new HookSpecError(path, `is ${named(value)}`, `It must be ${wanted}.`);
}
