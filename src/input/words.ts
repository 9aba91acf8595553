/**
 * The parser of every command: flags and other words in any order, split and unquoted by a shell. It refuses
 * everything ambiguous, since a limit that ends up in the prompt makes a runaway loop.
 */
import { once } from '#base/shape.ts';
import { usageOfArguments, type CommandTable } from './command-table.ts';
import { LOOP_FLAGS } from './loop-flags.ts';
import { flagsIn, readAbsent, readFlag, usageOf } from './flag.ts';
import type { AllFlagFields, Flag, FlagFields, FlagTable } from './flag.ts';
import type { Reading } from './values.ts';
import { nearest } from '#base/words/did-you-mean.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { PLAN_FLAGS, RUN_FLAGS } from './run-flags.ts';
import { refuse, type Refusal } from '#base/refusal.ts';

/**
 * Notes and chats turn `--` into a dash, and a person may type one of the two. Then a limit would become part
 * of the prompt. A dash before a plain word such as "check" may be prose, so we recognise that one only with
 * a quoted value behind it, or as a word of its own in a shell.
 */
function dashed(): string {
  const names = flagsIn(LOOP_FLAGS).map(({ flag }) => flag.slice(2));
  const long = names.filter((name) => name.includes('-')).join('|');
  const plain = names.filter((name) => !name.includes('-')).join('|');
  return `(?:[–—]-?|-)(?:${long})(?=[\\s=]|$)|` + `[–—]-?(?:${plain})(?==|\\s+["'“]|$)`;
}

/**
 * At the beginning of a word. `---`, `-x` and `--5` are plain text. Made at the first use: a command without
 * words needs no flag of a loop.
 */
export const flagName = once(() => new RegExp(`--[A-Za-z][^\\s=]*|${dashed()}`));

/** A word with a space before its `=` was quoted in the shell: it is prose that begins like a flag. */
const flagWord = once(() => new RegExp(`^(?<name>${flagName().source})(?:=(?<value>[^]*))?$`));

export type FlagValues = ReadonlyMap<string, readonly string[]>;

export interface FlagLine {
  readonly words: readonly string[];
  readonly given: FlagValues;
}

/** A word of its own in a shell, where a prompt has quotes: `-c "npm test"` was meant as a flag. */
const LETTER = /^-[A-Za-z]$/;

/** What the words beside the flags are. Only among operands may a letter be a flag that we know. */
export type Grammar = 'prompt' | 'operands';

/** After `--` no word is a flag. */
export function parseWords(
  table: FlagTable,
  words: readonly string[],
  grammar: Grammar = 'prompt',
): Reading<FlagLine> {
  const flags = flagsIn(table);
  const given = new Map<string, readonly string[]>();
  const plain: string[] = [];
  const rest = words.values();
  let last: Flag | undefined;
  /** The flag and its value right before this word, if a shell could have cut the value. */
  let unquoted: string | null = null;
  const give = ({ flag }: Flag, value: string) => given.set(flag, [...(given.get(flag) ?? []), value]);
  for (const word of rest) {
    if (word === '--') {
      plain.push(...rest);
      break;
    }
    const split = splitFlagWord(word) ?? (grammar === 'operands' ? splitLetter(word, flags) : null);
    if (split === null) {
      if (grammar === 'prompt' && LETTER.test(word)) return unknownFlag(word, flags, grammar);
      if (last?.takesMore) give(last, word);
      else if (grammar === 'prompt' && unquoted !== null && plain.length > 0)
        return refuseApart([word, ...untilFlag(rest)], unquoted);
      else plain.push(word);
      unquoted = null;
      continue;
    }
    const flag = flags.find((one) => one.flag === split.name);
    if (flag === undefined) return unknownFlag(split.name, flags, grammar);
    const value = valueFor(flag, split.value, rest);
    if (!value.ok) return value;
    if (given.has(flag.flag) && !flag.repeatable)
      return refuse('flag-twice', `${flag.flag} is given twice.`, 'Give it once.');
    give(flag, value.value);
    last = flag;
    unquoted = flag.value === null || /\s/.test(value.value) ? null : `${flag.flag} "${value.value}`;
  }
  return { ok: true, value: { words: plain, given } };
}

/** What is given, by field. Of two flags with one field the later one counts. Other flags are passed over. */
export function readFlags<F extends FlagTable>(table: F, given: FlagValues): Reading<Partial<FlagFields<F>>>;
export function readFlags(table: FlagTable, given: FlagValues): Reading<object> {
  return readGivenFlags(flagsIn(table), given);
}

function readGivenFlags(flags: readonly Flag[], given: FlagValues): Reading<object> {
  const fields: [field: string, value: unknown][] = [];
  for (const [name, texts] of given) {
    const flag = flags.find((one) => one.flag === name);
    if (flag === undefined) continue;
    const read = readFlag(flag, texts);
    if (!read.ok) return read;
    fields.push([flag.field, read.value]);
  }
  return { ok: true, value: Object.fromEntries(fields) };
}

/** The same, with what is meant by flags that are not given. */
export function readAllFlags<F extends FlagTable>(table: F, given: FlagValues): Reading<AllFlagFields<F>>;
export function readAllFlags(table: FlagTable, given: FlagValues): Reading<object> {
  const flags = flagsIn(table);
  const read = readGivenFlags(flags, given);
  const absent = flags.map((flag) => [flag.field, readAbsent(flag)]);
  return read.ok ? { ok: true, value: { ...Object.fromEntries(absent), ...read.value } } : read;
}

/** What the words after a command ask for. */
export type Wish =
  /** `ours`: the words before `--`. */
  | { readonly is: 'run'; readonly given: object; readonly ours: readonly string[] }
  | { readonly is: 'help' | 'version' }
  | { readonly is: 'wrong'; readonly refusal: Refusal };

export function readGiven(command: CommandTable, words: readonly string[]): Wish {
  const { needs = {}, args = {}, flags = {} } = command;
  const { ours } = splitAtDashes(words);
  if (ours.some((word) => word === '--help' || word === '-h')) return { is: 'help' };
  if (ours.some((word) => word === '--version' || word === '-V')) return { is: 'version' };
  if (command.takesPrompt) return { is: 'run', given: {}, ours };
  const line = parseWords(flags, command.passesOn ? ours : words, 'operands');
  if (!line.ok) return { is: 'wrong', refusal: line };
  const operands = line.value.words;
  const refusal = refuseOperands(command, operands);
  if (refusal !== null) return { is: 'wrong', refusal };
  const read = readAllFlags(flags, line.value.given);
  if (!read.ok) return { is: 'wrong', refusal: read };
  const named = Object.keys({ ...needs, ...args }).map((name, at) => [name, operands[at]] as const);
  return { is: 'run', given: { ...Object.fromEntries(named), ...read.value }, ours };
}

function refuseOperands(command: CommandTable, operands: readonly string[]): Refusal | null {
  const { name, needs = {}, args = {} } = command;
  const [missing] = Object.entries(needs).slice(operands.length);
  if (missing !== undefined)
    return refuse(
      'missing-argument',
      `${missing[0].toUpperCase()} is missing (${missing[1]}).`,
      `Write dacapo ${name} ${usageOfArguments(command)}.`,
    );
  const most = Object.keys({ ...needs, ...args }).length;
  const extra = operands[most];
  if (extra === undefined) return null;
  const takes = most === 0 ? 'no argument' : most === 1 ? 'one argument' : `${most} arguments`;
  const typed = JSON.stringify(extra.slice(0, 60));
  return refuse('too-many-arguments', `dacapo ${name} takes ${takes}: ${typed} is one too many.`, '');
}

/** For commands that pass the words after `--` to the host. */
export function splitAtDashes(words: readonly string[]): {
  ours: readonly string[];
  hosts: readonly string[];
} {
  const at = words.indexOf('--');
  return at === -1 ? { ours: words, hosts: [] } : { ours: words.slice(0, at), hosts: words.slice(at + 1) };
}

function splitFlagWord(word: string): { name: string; value: string | undefined } | null {
  const { name, value } = flagWord().exec(word)?.groups ?? {};
  return name === undefined ? null : { name, value };
}

/**
 * `-o FILE` or `-oFILE`, by the flag that has this letter. Others stay as typed, so that the refusal can name
 * them.
 */
function splitLetter(word: string, flags: readonly Flag[]): ReturnType<typeof splitFlagWord> {
  const { letter, value } = /^-(?<letter>[A-Za-z])(?<value>[^]*)$/.exec(word)?.groups ?? {};
  if (letter === undefined) return null;
  const flag = flags.find(({ short }) => short === letter);
  const isWhole = value === '' || flag?.value === null;
  if (flag === undefined || (isWhole && value !== '')) return { name: word, value: undefined };
  return { name: flag.flag, value: value === '' ? undefined : value };
}

/** A value that looks like a flag must be given with `=`, or in quotes where no shell removes them. */
export function canBeValue(word: string): boolean {
  return word !== '--' && splitFlagWord(word) === null;
}

function valueFor(
  flag: Flag,
  attached: string | undefined,
  rest: Iterator<string, undefined>,
): Reading<string> {
  if (flag.value === null)
    return attached === undefined
      ? { ok: true, value: '' }
      : refuse(
          'needless-value',
          `${flag.flag} takes no value.`,
          `Write ${flag.flag} alone, or leave it out.`,
        );
  const value = attached ?? rest.next().value;
  if (value !== undefined && (attached !== undefined || canBeValue(value))) return { ok: true, value };
  return refuse(
    'missing-value',
    `${flag.flag} has no value.`,
    flag.ifMissing ?? `Write ${usageOf(flag)}, or leave it out.`,
  );
}

function untilFlag(rest: Iterable<string>): string[] {
  const words: string[] = [];
  for (const word of rest) {
    if (!canBeValue(word)) break;
    words.push(word);
  }
  return words;
}

/** `--check npm test` without quotes would run `npm`, and tell the agent to "test". */
function refuseApart(words: readonly string[], unquoted: string): Refusal {
  const cut = oneLine(words.join(' '), 60);
  return refuse(
    'split-prompt',
    `${JSON.stringify(cut)} is apart from the rest of the prompt.`,
    `If it belongs to the value before it, write ${unquoted} ${cut}". Otherwise put the whole prompt in quotes.`,
  );
}

function unknownFlag(name: string, flags: readonly Flag[], grammar: Grammar): Refusal {
  const typed = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  const prose =
    grammar === 'prompt'
      ? ` If ${typed} belongs to the prompt, put that part in quotes, or write -- before the prompt.`
      : '';
  if (flagsIn({ ...PLAN_FLAGS, ...RUN_FLAGS }).some(({ flag }) => flag === name))
    return refuse(
      'unknown-flag',
      `${name} is a flag of dacapo run, not of this command.`,
      `Use dacapo run for it.${prose}`,
    );
  const meant = nearest(
    name,
    flags.map(({ flag }) => flag),
  );
  return refuse(
    'unknown-flag',
    `${typed} is not a flag of this command${meant === null ? '' : `; the nearest one is ${meant}`}.`,
    `${meant === null ? '' : `Write ${meant} if you mean that.`}${prose}`.trim(),
  );
}
