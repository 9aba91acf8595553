/** How a command answers. All text is sanitized, so nothing printed here can control the terminal. */
import { commandsInAdvice, sayAdvice, type Advice, type Refused } from '#telling/advice.ts';
import { inTerminal } from '#telling/audience.ts';
import { stripVTControlCharacters } from 'node:util';
import { splitAtDashes } from '#input/words.ts';
import { HOST_NAMES } from '#hosts/tables/names.ts';
import type { StatusWord, Loop } from '#law/loop.ts';
import { isNothingToDo } from '#engine/refusal-codes.ts';
import { escapeCharacter } from '#base/words/sanitize.ts';
import { createPaint } from '#surfaces/screen/terminal/paint.ts';
import { widthOf, clip } from '#surfaces/screen/terminal/width.ts';
import { notes, out } from './output.ts';

/** `entry.ts` takes the word out of what the commands read. */
const isPlain = splitAtDashes(process.argv.slice(2)).ours.includes('--no-color');

export const paint = createPaint(
  out.isScreen() && !isPlain && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
);

/** Null: not tested yet. */
export function paintGateMark(holds: boolean | null): string {
  if (holds === null) return paint.dim('·');
  return holds ? paint.green('✓') : paint.red('✗');
}

export function screenWidth(): number {
  return out.width();
}

/** A line that must not be wrapped, such as a command to paste or a row of a table. */
export interface Verbatim {
  readonly verbatim: string;
}

export type Line = string | Verbatim;

export function verbatim(line: string): Verbatim {
  return { verbatim: line };
}

export function printLines(...lines: readonly Line[]): void {
  out.write(`${fitted(lines, screenWidth())}\n`);
}

export function sayJson(value: unknown): void {
  printLines(verbatim(JSON.stringify(value, null, 2)));
}

export function reply(json: boolean, value: unknown, ...lines: readonly Line[]): number {
  if (json) sayJson(value);
  else printLines(...lines);
  return EXIT.ok;
}

export function linesWhen<T>(holds: boolean, ...lines: readonly T[]): readonly T[] {
  return holds ? lines : [];
}

function fitted(lines: readonly Line[], width: number): string {
  const textOf = (line: Line) => (typeof line === 'string' ? line : line.verbatim);
  if (width === Infinity) return printable(lines.map(textOf).join('\n'), paint.isOn);
  const wrapped = lines.flatMap((line) => {
    const text = printable(textOf(line), paint.isOn);
    return typeof line === 'string' ? text.split('\n').flatMap((one) => fitLine(one, width)) : [text];
  });
  return wrapped.join('\n');
}

/**
 * Prints the error and the next step, and returns the exit code. A program that asked for JSON reads it on
 * stdout, with the commands of that step as data.
 */
export function fail(what: string, advice: Advice, code: number = EXIT.failed): number {
  const next = lower(sayAdvice(advice, inTerminal));
  if (wantsJson()) printLines(verbatim(JSON.stringify({ error: what, next, ...asData(advice), exit: code })));
  printNote(`error: ${what}`);
  printNote(`next: ${next}`);
  return code;
}

function asData(advice: Advice) {
  const commands = commandsInAdvice(advice);
  return commands.length > 0 && { commands };
}

export function failUsage(what: string, next: string): number {
  return fail(what, next, EXIT.usage);
}

/** For a loop that was not begun. A list without an open item is not a failure: there is nothing to do. */
export function failToBegin(refused: Refused, code: number = exitFor(refused)): number {
  if (!isNothingToDo(refused)) return failFor(refused, code);
  const { message } = refused;
  const next = sayAdvice(refused.next, inTerminal);
  const data = { nothing: message, next, ...asData(refused.next), exit: EXIT.ok };
  if (wantsJson()) printLines(verbatim(JSON.stringify(data)));
  else printLines(`Da Capo: ${lower(message)}`, next);
  return EXIT.ok;
}

function wantsJson(): boolean {
  return splitAtDashes(process.argv).ours.includes('--json');
}

/** A refusal of the core is a full sentence. Here it follows "error:", so it starts in lower case. */
export function failFor(refused: Refused, code: number = exitFor(refused)): number {
  return fail(lower(refused.message), refused.next, code);
}

/** Refusals of the core that are about what was typed, not about what was found. */
const OF_USAGE: readonly string[] = ['bad-review', 'bad-measure', 'bad-glob'];

function exitFor({ code }: Refused): number {
  return OF_USAGE.includes(code) ? EXIT.usage : EXIT.failed;
}

/** These names keep their capital in the middle of a line, as do files (`Notes.md`), variables and ids. */
const NAMES = new RegExp(`^(?:${HOST_NAMES.map(({ title }) => title).join('|')}|Da Capo|Node|TypeScript)\\b`);
const PLAIN_WORD = /^[A-Z][a-z'’]*[,:;.]?(?:\s|$)/;

function lower(sentence: string): string {
  if (NAMES.test(sentence) || !PLAIN_WORD.test(sentence)) return sentence;
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

export function printNote(line: string): void {
  notes.write(`${fitted([line], notes.width())}\n`);
}

const { green, cyan, yellow, red, dim } = paint;
const STATUS_PAINTS: Readonly<Record<StatusWord, (text: string) => string>> = {
  completed: green,
  running: cyan,
  waiting: cyan,
  pending: yellow,
  paused: yellow,
  interrupted: yellow,
  exhausted: red,
  stuck: red,
  escalated: red,
  aborted: red,
  cancelled: dim,
};

export function paintStatus(status: StatusWord): string {
  return STATUS_PAINTS[status](status);
}

// Our own colours, other control characters, and characters that change the reading direction.
const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /\u001B\[(?:[012]|22|3[1-6]|39)m|(?![\t\n])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const RETURN = /\r(?=\n|$)/g;

/**
 * Names, commands and errors come from projects, journals and other programs; a control character in them
 * could move the cursor over earlier output. Such characters are shown as escapes (`\u001b`), so that a
 * person sees them. `painted`: keep colours. They can neither hide text nor move it.
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
const MIN_TEXT_COLUMNS = 24;
const SMALL_INDENT_COLUMNS = 4;

export function shownWidth(line: string): number {
  return widthOf(stripVTControlCharacters(line));
}

/**
 * Wraps at spaces only, so that an id or a path can be copied whole. `hang`: the column in which the second
 * line begins.
 */
export function fitLine(line: string, width: number, hang: number = indentOf(line)): string[] {
  const left = /^ */.exec(line)?.[0] ?? '';
  return filled(left, line.slice(left.length), width, hang);
}

function filled(left: string, text: string, width: number, hang: number): string[] {
  if (shownWidth(left + text) <= width) return [left + text];
  const small = ' '.repeat(Math.min(hang, SMALL_INDENT_COLUMNS));
  const indent = width - hang < MIN_TEXT_COLUMNS ? small : ' '.repeat(hang);
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

/** Lines under one name; null or none: nothing to say. */
export type Fact = readonly [name: string, value: string | null | readonly string[]];

export function factLines(facts: readonly Fact[], column: number): string[] {
  const rows = facts.flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : (value ?? [])).map(
      (line, at) => [at === 0 ? name : '', line] as const,
    ),
  );
  return rows.map(([name, line]) => hanging(`  ${paint.dim(name.padEnd(column))}  `, line));
}

export function hanging(left: string, text: string, width: number = screenWidth()): string {
  return filled(left, text, width, shownWidth(left)).join('\n');
}

function indentOf(line: string): number {
  return HANGING.exec(stripVTControlCharacters(line))?.[0].length ?? 0;
}

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  exhausted: 3,
  escalated: 4,
  cancelled: 5,
  aborted: 6,
  unfinished: 7,
  fatal: 8,
  stuck: 9,
} as const;

/** What each code means. Those from 3 on tell the state of the loop that `start` or `run` drove. */
export const EXIT_CODES: readonly string[] = [
  'done; after start and run: the loop is completed, or there is nothing to do',
  'it could not be done, and the error says why',
  'wrong usage; nothing was changed',
  'a limit ended the loop (exhausted)',
  'the loop needs a person (escalated)',
  'the loop was cancelled',
  'the record of the loop could not be trusted (aborted)',
  'the loop has not ended (paused, interrupted) and can be resumed',
  'an error of the host that no retry can fix: no login, no credit, no such model',
  'stuck: no progress',
];

/** The other endings are named as their codes. */
const CODES: Readonly<Partial<Record<StatusWord, number>>> = { completed: EXIT.ok, ...EXIT };

export function exitCodeOf({ status }: Pick<Loop, 'status'>): number {
  if (status.is === 'escalated' && status.why.is === 'fatal') return EXIT.fatal;
  return exitCodeOfStatus(status.is);
}

export function exitCodeOfStatus(status: StatusWord): number {
  return CODES[status] ?? EXIT.unfinished;
}

/** With less room for the last column, a table can't be read. */
const MIN_LAST_COLUMN_CHARS = 20;

export function table(rows: readonly (readonly string[])[], most: number = screenWidth()): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => shownWidth(row[at] ?? ''))));
  const fixedWidth = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  // Too narrow for columns: each row wraps over as many lines as it needs.
  if (fixedWidth + MIN_LAST_COLUMN_CHARS > most)
    return rows.flatMap((row) => fitLine(row.join('  '), most, SMALL_INDENT_COLUMNS));
  return rows.map((row) => {
    const fixed = row.slice(0, -1).map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - shownWidth(cell)));
    const before = fixed.join('  ');
    return `${before}  ${cutCell(row.at(-1) ?? '', most - shownWidth(before) - 2)}`.trimEnd();
  });
}

export function headedTable(headings: readonly string[], rows: readonly (readonly string[])[]): Line[] {
  return table([headings.map((word) => paint.dim(word)), ...rows]).map(verbatim);
}

function cutCell(cell: string, most: number): string {
  const room = Math.max(most, MIN_LAST_COLUMN_CHARS);
  return shownWidth(cell) <= room ? cell : clip(stripVTControlCharacters(cell), room, '…');
}
