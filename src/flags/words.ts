/** What looks like a flag among the words of a prompt. Whether it is one, the table in flags.ts knows. */
import { FLAGS, usageOf, type Flag } from './table.ts';
import { refuse, type Refusal } from '../core/refusal.ts';

/**
 * Notes and chats turn `--` into a dash, and then a limit would be swallowed by the prompt. Seen only before names
 * that are no plain words: a dash before "check" or "name" may well be prose.
 */
const NAMES = FLAGS.map(({ flag }) => flag.slice(2)).filter((name) => name.includes('-'));
const DASHED = `[–—]-?(?:${NAMES.join('|')})(?=[\\s=]|$)`;

/** At the beginning of a word. `---`, `-x` and `--5` are plain text. */
export const FLAG_NAME = new RegExp(`--[A-Za-z][^\\s=]*|${DASHED}`);

/** A shell's word with a space before its `=` was quoted: it is prose that begins like a flag. */
const FLAG_WORD = new RegExp(`^(?<name>${FLAG_NAME.source})(?:=(?<value>[^]*))?$`);

export function splitFlagWord(word: string): { name: string; value: string | undefined } | null {
  const { name, value } = FLAG_WORD.exec(word)?.groups ?? {};
  return name === undefined ? null : { name, value };
}

/** A value that looks like a flag must be given with `=`, or in quotes where no shell takes them off. */
export function canBeValue(word: string): boolean {
  return word !== '--' && splitFlagWord(word) === null;
}

export function missingValue(flag: Flag): Refusal {
  return refuse('missing-value', `${flag.flag} has no value.`, `Write ${usageOf(flag)}, or leave it out.`);
}

export function needlessValue({ flag }: Flag): Refusal {
  return refuse('needless-value', `${flag} takes no value.`, `Write ${flag} alone, or leave it out.`);
}
