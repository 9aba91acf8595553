/**
 * Prints to the person: colours only on a real terminal, errors with a next step, no noise when a pipe closes. All
 * text is sanitized, so nothing printed here can control the terminal.
 */
import { chosenNames } from '../../hosts/names.ts';
import pico from 'picocolors';
import type { StatusWord } from '../../core/loop.ts';
import type { Refusal } from '../../core/refusal.ts';
import { isNothingToDo } from '../../operations/begin/prepare.ts';
import { EXIT } from './exit-codes.ts';
import { escapeCharacter } from '../../core/words/sanitize.ts';
import { stripVTControlCharacters } from 'node:util';
import { widthOf } from '../../screen/width.ts';

/** Picocolors' own detection would also paint in pipes on Windows and under CI. */
export const paint = pico.createColors(
  Boolean(process.stdout.isTTY) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
);

export const GATE_MARKS = { holds: paint.green('✓'), fails: paint.red('✗'), untested: paint.dim('·') };

/** Lines wrap at this width. In a pipe they may have any length. */
export const WIDTH = screenWidth();

/** The current width: the window may have been resized. */
export function screenWidth(): number {
  return widthOfStream(process.stdout);
}

/** A line that must not be wrapped, such as a command to paste or a row of a table. */
export interface Verbatim {
  readonly verbatim: string;
}

export type Line = string | Verbatim;

export function verbatim(line: string): Verbatim {
  return { verbatim: line };
}

/** Wraps lines that are wider than the terminal between words. */
export function say(...lines: readonly Line[]): void {
  process.stdout.write(`${lines.map((line) => fitted(line, screenWidth())).join('\n')}\n`);
}

export function sayJson(value: unknown): void {
  say(verbatim(JSON.stringify(value, null, 2)));
}

function fitted(line: Line, width: number): string {
  const text = printable(typeof line === 'string' ? line : line.verbatim, paint.isColorSupported);
  if (typeof line !== 'string') return text;
  return text
    .split('\n')
    .flatMap((one) => fit(one, width))
    .join('\n');
}

function widthOfStream({ isTTY, columns }: NodeJS.WriteStream): number {
  return isTTY ? columns : Number.POSITIVE_INFINITY;
}

/** Prints the error and the next step, and returns the exit code. A program that asked for JSON reads it on stdout. */
export function fail(what: string, next: string, code: number = EXIT.failed): number {
  if (wantsJson()) say(verbatim(JSON.stringify({ error: what, next, exit: code })));
  note(`error: ${what}`);
  note(`next: ${next}`);
  return code;
}

/** For a loop that was not begun. A list without an open item is not a failure: there is nothing to do. */
export function failToBegin(refused: Refusal, code: number = EXIT.failed): number {
  if (!isNothingToDo(refused)) return failFor(refused, code);
  const { message, next } = refused;
  if (wantsJson()) say(verbatim(JSON.stringify({ nothing: message, next, exit: EXIT.ok })));
  else say(`Da Capo: ${lower(message)}`, next);
  return EXIT.ok;
}

/** What follows `--` is for the host. */
function wantsJson(): boolean {
  const { argv } = process;
  return argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length).includes('--json');
}

/** A refusal of the core is a full sentence. Here it follows "error:", so it starts in lower case. */
export function failFor({ message, next }: Refusal, code: number = EXIT.failed): number {
  return fail(lower(message), lower(next), code);
}

/** These names keep their capital in the middle of a line, as do files (`Notes.md`), variables and ids. */
const NAMES = new RegExp(`^(?:${chosenNames().title}|Da Capo|Node|TypeScript)\\b`);
const PLAIN_WORD = /^[A-Z][a-z'’]*[,:;.]?(?:\s|$)/;

function lower(sentence: string): string {
  if (NAMES.test(sentence) || !PLAIN_WORD.test(sentence)) return sentence;
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

export function note(line: string): void {
  process.stderr.write(`${fitted(line, widthOfStream(process.stderr))}\n`);
}

export function paintStatus(status: StatusWord): string {
  switch (status) {
    case 'completed':
      return paint.green(status);
    case 'running':
    case 'waiting':
      return paint.cyan(status);
    case 'pending':
    case 'paused':
    case 'interrupted':
      return paint.yellow(status);
    case 'exhausted':
    case 'stuck':
    case 'escalated':
    case 'aborted':
      return paint.red(status);
    case 'cancelled':
      return paint.dim(status);
  }
}

// Our own colours, other control characters, and characters that change the reading direction.
const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /\u001B\[(?:[012]|22|3[1-6]|39)m|(?![\t\n])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** The line ending of some files. */
const RETURN = /\r(?=\n|$)/g;

/**
 * Names, commands and errors come from projects, journals and other programs; a control character in them could move the
 * cursor over earlier output. Such characters are shown as escapes (`\u001b`), so that a person sees them. `painted`: keep
 * colours. They can neither hide text nor move it.
 */
export function printable(text: string, painted: boolean): string {
  return text
    .replace(RETURN, '')
    .replace(SPECIAL, (found) => (painted && found.length > 1 ? found : escaped(found)));
}

/** For text in the middle of a line. It can't begin another line. */
export function inLine(text: string): string {
  return printable(text.replace(/[\t\n\r]/g, escaped), false);
}

function escaped(found: string): string {
  return `${escapeCharacter(found)}${found.slice(1)}`;
}

/** The indentation of a line and its mark. Wrapped text aligns with the words after them. */
const HANGING = /^ *(?:[✓✗·!→-] +)?/;
/** A narrower column is harder to read than a small indentation. */
const LEAST_COLUMN = 24;
const SMALL_INDENT = 4;

/** The columns that a line takes on a screen. Colour codes take none. */
export function shownWidth(line: string): number {
  return widthOf(stripVTControlCharacters(line));
}

/**
 * Wraps a line at spaces only, so that an id or a path can still be copied whole. `hang`: the column in which the second
 * line begins (default: under the first word).
 */
export function fit(line: string, width: number, hang: number = indentOf(line)): string[] {
  const left = /^ */.exec(line)?.[0] ?? '';
  return filled(left, line.slice(left.length), width, hang);
}

function filled(left: string, text: string, width: number, hang: number): string[] {
  if (shownWidth(left + text) <= width) return [left + text];
  const small = ' '.repeat(Math.min(hang, SMALL_INDENT));
  const indent = width - hang < LEAST_COLUMN ? small : ' '.repeat(hang);
  const lines: string[] = [];
  let now = left + (/^ */.exec(text)?.[0] ?? '');
  let isEmpty = true;
  for (const [word] of text.matchAll(/[^ ]+ */g)) {
    if (!isEmpty && shownWidth((now + word).trimEnd()) > width) {
      lines.push(now.trimEnd());
      // A path that is too long for its column may still fit further left.
      now = shownWidth((indent + word).trimEnd()) > width ? small : indent;
    }
    now += word;
    isEmpty = false;
  }
  return [...lines, now.trimEnd()];
}

/** Puts `text` in a column of its own, after `left`. */
export function hanging(left: string, text: string, width: number): string {
  return filled(left, text, width, shownWidth(left)).join('\n');
}

function indentOf(line: string): number {
  return HANGING.exec(stripVTControlCharacters(line))?.[0].length ?? 0;
}
