/**
 * The grammar of every command that takes a prompt: prompt words and flags in any order, split and unquoted by a shell.
 * It refuses everything ambiguous, since a limit that ends up in the prompt makes a runaway loop.
 */
import { FLAGS, usageOf, type Flag, type FlagShape } from './table.ts';
import type { Reading } from './values.ts';
import { nearest } from './did-you-mean.ts';
import { PLAN_FLAGS, RUN_FLAGS } from './run-table.ts';
import { refuse, type Refusal } from '../core/refusal.ts';

/**
 * Notes and chats turn `--` into a dash, and then a limit would become part of the prompt. We recognise this only before
 * names that are not plain words: a dash before "check" or "name" may be prose.
 */
const NAMES = FLAGS.map(({ flag }) => flag.slice(2)).filter((name) => name.includes('-'));
const DASHED = `[–—]-?(?:${NAMES.join('|')})(?=[\\s=]|$)`;

/** At the beginning of a word. `---`, `-x` and `--5` are plain text. */
export const FLAG_NAME = new RegExp(`--[A-Za-z][^\\s=]*|${DASHED}`);

/** A word with a space before its `=` was quoted in the shell: it is prose that begins like a flag. */
const FLAG_WORD = new RegExp(`^(?<name>${FLAG_NAME.source})(?:=(?<value>[^]*))?$`);

export type FlagValues = ReadonlyMap<string, readonly string[]>;

export interface FlagLine {
  readonly words: readonly string[];
  readonly given: FlagValues;
}

/** After `--` every word belongs to the prompt. */
export function parseWords(flags: readonly FlagShape[], words: readonly string[]): Reading<FlagLine> {
  const given = new Map<string, readonly string[]>();
  const prose: string[] = [];
  const rest = words.values();
  for (const word of rest) {
    if (word === '--') {
      prose.push(...rest);
      break;
    }
    const split = splitFlagWord(word);
    if (split === null) {
      prose.push(word);
      continue;
    }
    const flag = flags.find((one) => one.flag === split.name);
    if (flag === undefined) return unknownFlag(split.name, flags);
    const value = valueFor(flag, split.value, rest);
    if (!value.ok) return value;
    const before = given.get(flag.flag) ?? [];
    if (before.length > 0 && !flag.repeatable)
      return refuse('flag-twice', `${flag.flag} is given twice.`, 'Give it once.');
    given.set(flag.flag, [...before, value.value]);
  }
  return { ok: true, value: { words: prose, given } };
}

export function readFlags<T>(table: readonly Flag<T>[], given: FlagValues, before: T): Reading<T> {
  let options = before;
  for (const [name, values] of given) {
    const read = table.find(({ flag }) => flag === name)?.read(values, options);
    if (read?.ok === false) return { ...read, message: `${name} ${read.message}` };
    options = read?.value ?? options;
  }
  return { ok: true, value: options };
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
  const { name, value } = FLAG_WORD.exec(word)?.groups ?? {};
  return name === undefined ? null : { name, value };
}

/** A value that looks like a flag must be given with `=`, or in quotes where no shell removes them. */
export function canBeValue(word: string): boolean {
  return word !== '--' && splitFlagWord(word) === null;
}

function valueFor(
  flag: FlagShape,
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

function unknownFlag(name: string, flags: readonly FlagShape[]): Refusal {
  const typed = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  const prose = `If ${typed} belongs to the prompt, put that part in quotes, or write -- before the prompt.`;
  if ([...PLAN_FLAGS, ...RUN_FLAGS].some(({ flag }) => flag === name))
    return refuse(
      'unknown-flag',
      `${name} is a flag of dacapo run, not of this command.`,
      `Use dacapo run for it. ${prose}`,
    );
  const meant = nearest(
    name,
    flags.map(({ flag }) => flag),
  );
  return refuse(
    'unknown-flag',
    `${typed} is not a flag of this command${meant === null ? '' : `; the nearest one is ${meant}`}.`,
    `${meant === null ? '' : `Write ${meant} if you mean that. `}${prose}`,
  );
}
