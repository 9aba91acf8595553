/**
 * The grammar of the start command: prompt words and flags in any order. The prompt comes back to the letter;
 * whatever could be misread is refused, since a flag that is swallowed by a prompt makes a runaway.
 */
import { cutFlags, type Cut } from './raw-text.ts';
import type { Reading } from './values.ts';
import { canBeValue, missingValue, needlessValue, splitFlagWord } from './words.ts';
import { flagNamed, readOptions, USAGE, type Given } from './table.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import type { StartOptions } from './options.ts';

export interface StartRequest extends StartOptions {
  readonly ok: true;
  readonly prompt: string;
}

/** For the raw text behind a slash command. */
export function parseStart(raw: string): StartRequest | Refusal {
  return request(cutFlags(raw));
}

/** For words that a shell has split, and whose quotes it has taken off. */
export function parseStartWords(words: readonly string[]): StartRequest | Refusal {
  return request(pickFlags(words));
}

function request(cut: Reading<Cut>): StartRequest | Refusal {
  if (!cut.ok) return cut;
  const read = readOptions(cut.value.given);
  if (!read.ok) return read;
  const { prompt } = cut.value;
  if (prompt.trim() === '')
    return refuse('no-prompt', 'There is no prompt.', `Say what is to be done: ${USAGE}`);
  return { ok: true, prompt, ...read.options };
}

function pickFlags(words: readonly string[]): Reading<Cut> {
  const given: Given[] = [];
  const prompt: string[] = [];
  const rest = words.values();
  for (const word of rest) {
    if (word === '--') {
      prompt.push(...rest);
      break;
    }
    const split = splitFlagWord(word);
    if (!split) {
      prompt.push(word);
      continue;
    }
    const flag = flagNamed(split.name);
    if (!flag.ok) return flag;
    if (flag.value.value === null && split.value !== undefined) return needlessValue(flag.value);
    const value = split.value ?? (flag.value.value === null ? '' : nextValue(rest));
    if (value === undefined) return missingValue(flag.value);
    given.push({ flag: flag.value, value });
  }
  return { ok: true, value: { prompt: prompt.join(' ').trim(), given } };
}

function nextValue(rest: Iterator<string, undefined>): string | undefined {
  const { value } = rest.next();
  return value !== undefined && canBeValue(value) ? value : undefined;
}
