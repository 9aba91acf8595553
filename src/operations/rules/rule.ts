/** Validation rules: what a caller may ask for, and the strict reader of it. A rule comes from an agent as often as not. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import { either, isRecord, maybe, oneOf, record, text, type Infer, type Shape } from '../../core/shape.ts';
import { oneLine } from '../../core/words/sanitize.ts';

const name = text;
const percent: Shape<number> = (value): value is number =>
  typeof value === 'number' && value >= 0 && value <= 100;

const plain = {
  /** A command that the user allows, or a check of the loop. `command`: exactly as it is written there. */
  command: record({ name, type: oneOf('command'), command: text }),
  /** A regular expression in a file of the project; without `file`, in the agent's output. */
  pattern: record({
    name,
    type: oneOf('pattern'),
    pattern: text,
    /** Of JavaScript: any of `i`, `m`, `s`, `u`. */
    flags: maybe(text),
    file: maybe(text),
    /** `absent`: the pattern must not occur. Default: `present`. */
    expect: maybe(oneOf('present', 'absent')),
  }),
  'file-exists': record({ name, type: oneOf('file-exists'), file: text }),
  /** Without `file`, the first of the usual places. */
  coverage: record({
    name,
    type: oneOf('coverage'),
    /** At least this many percent. */
    threshold: percent,
    metric: maybe(oneOf('lines', 'statements', 'branches', 'functions')),
    file: maybe(text),
  }),
};
/** A rule of the user's own, by its name in their rules file. */
const custom = record({ name, type: oneOf('custom'), rule: text });

export const plainRule = either(plain.command, plain.pattern, plain['file-exists'], plain.coverage);
export type PlainRule = Infer<typeof plainRule>;
export type ValidationRule = PlainRule | Infer<typeof custom>;
export type CommandRule = Infer<(typeof plain)['command']>;
export type PatternRule = Infer<(typeof plain)['pattern']>;
export type CoverageRule = Infer<(typeof plain)['coverage']>;

const SHAPES: ReadonlyMap<string, Shape<ValidationRule>> = new Map<string, Shape<ValidationRule>>([
  ...Object.entries(plain),
  ['custom', custom],
]);
const FIELDS: Readonly<Record<string, string>> = {
  command: '{ name, type: "command", command }',
  pattern: '{ name, type: "pattern", pattern, flags?, file?, expect?: "present" | "absent" }',
  'file-exists': '{ name, type: "file-exists", file }',
  coverage: '{ name, type: "coverage", threshold, metric?, file? }',
  custom: '{ name, type: "custom", rule }',
};

/** More is a mistake of the caller, or an attempt to keep us busy. */
const MOST_RULES = 50;
const LONGEST_TEXT = 2_000;

export function readRules(
  value: unknown,
): { readonly ok: true; readonly rules: readonly ValidationRule[] } | Refusal {
  if (!Array.isArray(value)) return bad('validationRules is no list.', 'Give a list of rules.');
  if (value.length > MOST_RULES)
    return bad(`${value.length} rules are given, and at most ${MOST_RULES} are run.`, 'Give fewer.');
  const rules: ValidationRule[] = [];
  for (const [at, one] of value.entries()) {
    const read = readRule(one, `Rule ${at + 1}`);
    if ('ok' in read) return read;
    if (rules.some((rule) => rule.name === read.name))
      return bad(`Two rules are called ${JSON.stringify(read.name)}.`, 'Give each a name of its own.');
    rules.push(read);
  }
  return { ok: true, rules };
}

function readRule(value: unknown, which: string): ValidationRule | Refusal {
  const type = isRecord(value) && text(value['type']) ? value['type'] : null;
  const shape = type === null ? undefined : SHAPES.get(type);
  if (shape === undefined || type === null)
    return bad(
      `${which} has ${type === null ? 'no type' : `the unknown type ${JSON.stringify(oneLine(type, 80))}`}.`,
      `The types are ${[...SHAPES.keys()].join(', ')}.`,
    );
  if (!shape(value)) return bad(`${which} is no ${type} rule.`, `It has the form ${FIELDS[type]}.`);
  const long = Object.values(value).some((field) => text(field) && field.length > LONGEST_TEXT);
  if (long || value.name.trim() === '')
    return bad(
      `${which} has ${long ? `a text of more than ${LONGEST_TEXT} characters` : 'no name'}.`,
      'Fix it.',
    );
  return value;
}

function bad(message: string, next: string): Refusal {
  return refuse('bad-rules', message, next);
}
