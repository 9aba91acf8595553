/**
 * Validation rules: what a caller may ask for, and the strict reader of it. A rule comes from an agent as
 * often as not.
 */
import { refuse, type Granted } from '#base/refusal.ts';
import { isRecord, text } from '#base/shape.ts';
import { refuseMisfit } from '../schema/misfit.ts';
import { byType, list, optional, readWith, value, word } from '../schema/schema.ts';
import type { ObjectOf, Schema } from '../schema/schema.ts';

/** More is a mistake of the caller, or an attempt to keep us busy. */
const MAX_RULES = 50;
const MAX_TEXT_CHARS = 2_000;

const words = ofWords('a text', 0);
const name = ofWords('a name', 1);

function ofWords(what: string, minLength: number): Schema<string> {
  return value(
    `${what} of at most ${MAX_TEXT_CHARS} characters`,
    { type: 'string', ...(minLength > 0 && { minLength }), maxLength: MAX_TEXT_CHARS },
    (given): given is string =>
      text(given) && given.trim().length >= minLength && given.length <= MAX_TEXT_CHARS,
  );
}

const RULES = {
  /** A command that the user allows, or a check of the loop: exactly as it is written there. */
  command: { name, command: words },
  /** A regular expression in a file of the project; without `file`, in the agent's output. */
  pattern: {
    name,
    pattern: words,
    /** Of JavaScript: any of `i`, `m`, `s`, `u`. */
    flags: optional(words),
    file: optional(words),
    /** `absent`: the pattern must not occur. Default: `present`. */
    expect: optional(word('present', 'absent')),
  },
  'file-exists': { name, file: words },
};

export type RuleOf<T extends keyof typeof RULES> = { readonly type: T } & ObjectOf<(typeof RULES)[T]>;
export type ValidationRule = RuleOf<'command'> | RuleOf<'pattern'> | RuleOf<'file-exists'>;

const rule = byType<ValidationRule>('rule', RULES);
const rules = list(rule, `a list of at most ${MAX_RULES} rules`, 0, MAX_RULES);

/** For a model, which may spell them otherwise. */
export const writtenRules: Schema<readonly Readonly<Record<string, unknown>>[]> = list(
  value('a rule', rule.json({}), isRecord),
  'a list of rules',
);

export function readRules(given: unknown): Granted<{ readonly rules: readonly ValidationRule[] }> {
  const read = readWith(rules, Array.isArray(given) ? given.map(respell) : given, 'rules');
  if (!read.ok) return refuseMisfit('bad-rules', read.misfit, 'rules');
  const names = read.value.map((one) => one.name);
  const twice = names.find((one, at) => names.indexOf(one) < at);
  if (twice === undefined) return { ok: true, rules: read.value };
  return refuse('bad-rules', `Two rules are called ${JSON.stringify(twice)}.`, 'Give each its own name.');
}

/** Models write `file_exists` or `fileExists`, and `path` for `file`. What they mean is clear. */
function respell(written: unknown): unknown {
  if (!isRecord(written) || !text(written['type'])) return written;
  const type = written['type']
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[_ ]/g, '-');
  if (!Object.hasOwn(RULES, type)) return written;
  const { path, ...rest } = written;
  return path === undefined || 'file' in rest ? { ...written, type } : { ...rest, type, file: path };
}
