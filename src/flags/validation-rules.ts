/** Validation rules: what a caller may ask for, and the strict reader of it. A rule comes from an agent as often as not. */
import { refuse, type Refusal } from '../core/refusal.ts';
import { either, isRecord, maybe, oneOf, record, text, type Infer, type Shape } from '../core/shape.ts';
import { oneLine } from '../core/words/sanitize.ts';
import type { Reading } from './values.ts';

const percent: Shape<number> = (value): value is number =>
  typeof value === 'number' && value >= 0 && value <= 100;

/** The fields of a rule besides its name and type. */
export const RULE_FIELDS = {
  /** A command that the user allows, or a check of the loop. `command`: exactly as it is written there. */
  command: { command: text },
  /** A regular expression in a file of the project; without `file`, in the agent's output. */
  pattern: {
    pattern: text,
    /** Of JavaScript: any of `i`, `m`, `s`, `u`. */
    flags: maybe(text),
    file: maybe(text),
    /** `absent`: the pattern must not occur. Default: `present`. */
    expect: maybe(oneOf('present', 'absent')),
  },
  'file-exists': { file: text },
  /** Without `file`, the first of the usual places. */
  coverage: {
    /** At least this many percent. */
    threshold: percent,
    metric: maybe(oneOf('lines', 'statements', 'branches', 'functions')),
    file: maybe(text),
  },
} as const;

const plain = {
  command: record({ name: text, type: oneOf('command'), ...RULE_FIELDS.command }),
  pattern: record({ name: text, type: oneOf('pattern'), ...RULE_FIELDS.pattern }),
  'file-exists': record({ name: text, type: oneOf('file-exists'), ...RULE_FIELDS['file-exists'] }),
  coverage: record({ name: text, type: oneOf('coverage'), ...RULE_FIELDS.coverage }),
};
/** A rule of the user's own, by its name in their config. */
const custom = record({ name: text, type: oneOf('custom'), rule: text });

export const plainRule = either(plain.command, plain.pattern, plain['file-exists'], plain.coverage);
export type PlainRule = Infer<typeof plainRule>;
export type ValidationRule = PlainRule | Infer<typeof custom>;
export type CommandRule = Infer<(typeof plain)['command']>;
export type PatternRule = Infer<(typeof plain)['pattern']>;
export type CoverageRule = Infer<(typeof plain)['coverage']>;

const anyRule = either(plainRule, custom);
const TYPES = ['command', 'pattern', 'file-exists', 'coverage', 'custom'] as const;
/** How a rule is written, without its name. */
export const RULE_FORMS: Readonly<Record<ValidationRule['type'], string>> = {
  command: 'type: "command", command',
  pattern: 'type: "pattern", pattern, flags?, file?, expect?: "present" | "absent"',
  'file-exists': 'type: "file-exists", file',
  coverage: 'type: "coverage", threshold, metric?, file?',
  custom: 'type: "custom", rule',
};

/** More is a mistake of the caller, or an attempt to keep us busy. */
const MOST_RULES = 50;
const LONGEST_TEXT = 2_000;

export function readRules(
  value: unknown,
): { readonly ok: true; readonly rules: readonly ValidationRule[] } | Refusal {
  if (!Array.isArray(value)) return bad('The rules are no list.', 'Give a list of rules.');
  if (value.length > MOST_RULES)
    return bad(`${value.length} rules are given, and at most ${MOST_RULES} are run.`, 'Give fewer.');
  const rules: ValidationRule[] = [];
  for (const [at, one] of value.entries()) {
    const read = readRule(one, `Rule ${at + 1}`);
    if (!read.ok) return read;
    const { name } = read.value;
    if (rules.some((rule) => rule.name === name))
      return bad(`Two rules are called ${JSON.stringify(name)}.`, 'Give each a name of its own.');
    rules.push(read.value);
  }
  return { ok: true, rules };
}

function readRule(written: unknown, which: string): Reading<ValidationRule> {
  const value = respell(written);
  const given = isRecord(value) && text(value['type']) ? value['type'] : null;
  const type = TYPES.find((one) => one === given);
  if (type === undefined)
    return bad(
      `${which} has ${given === null ? 'no type' : `the unknown type ${JSON.stringify(oneLine(given, 80))}`}.`,
      `The types are ${TYPES.join(', ')}.`,
    );
  if (!anyRule(value) || value.type !== type)
    return bad(`${which} is no ${type} rule.`, `It has the form { name, ${RULE_FORMS[type]} }.`);
  const long = Object.values(value).some((field) => text(field) && field.length > LONGEST_TEXT);
  if (long || value.name.trim() === '')
    return bad(
      `${which} has ${long ? `a text of more than ${LONGEST_TEXT} characters` : 'no name'}.`,
      'Fix it.',
    );
  return { ok: true, value };
}

/** Models write `file_exists`, `fileExists` or `coverage-threshold`, and `path` for `file`. What they mean is clear. */
function respell(value: unknown): unknown {
  if (!isRecord(value) || !text(value['type'])) return value;
  const kebab = value['type']
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[_ ]/g, '-');
  const type = kebab === 'coverage-threshold' ? 'coverage' : kebab;
  if (!TYPES.some((one) => one === type)) return value;
  const { path, ...rest } = value;
  return path === undefined || 'file' in rest ? { ...value, type } : { ...rest, type, file: path };
}

function bad(message: string, next: string): Refusal {
  return refuse('bad-rules', message, next);
}
