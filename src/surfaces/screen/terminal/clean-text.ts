/**
 * Cleans and folds what agents, tools and checks print: it can't move the cursor, and every line is one line.
 */
import { clean } from '#telling/story/clean.ts';
import { expandTabs } from './width.ts';

const [ESC, BEL, CSI, ST] = ['\u001B', '\u0007', '\u009B', '\u009C'];

/** Single characters that begin a control text, which a terminal does not show. */
const STARTS = '\u0090\u0098\u009D-\u009F';

/**
 * Removes whole sequences. `harmless` alone would remove their first character and leave the rest as text.
 */
const SEQUENCES = new RegExp(
  [
    // Titles, links and the like carry text that a terminal does not show. A sequence can't contain the start
    // of another one: otherwise a row of starts would be scanned again from each of them.
    `(?:${ESC}[\\]PX^_]|[${STARTS}])[^${BEL}${ESC}${ST}${STARTS}\n]*(?:${BEL}|${ESC}\\\\|${ST})`,
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]`,
    `${ESC}[ -/]*[0-Z\\\\-~]`,
  ].join('|'),
  'g',
);
const LINE_ENDS = /[\u2028\u2029\v\f]/g;
/** More than any screen shows in a label. */
const MAX_LABEL_CHARS = 4_000;

const PLAIN = /^[\t\n -~]*$/;

export function forScreen(outside: string): string {
  if (PLAIN.test(outside)) return outside;
  const text = outside
    .replace(SEQUENCES, '')
    .replace(LINE_ENDS, '\n')
    .replace(/\p{Surrogate}/gu, '\uFFFD');
  return clean(text);
}

/** A progress bar redraws its line. We show the last state. */
export function lineForScreen(line: string): string {
  // By hand: `/\r+$/` is quadratic in a long row of `\r`.
  let end = line.length;
  while (line.charAt(end - 1) === '\r') end--;
  const shown = line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
  return expandTabs(forScreen(shown).replaceAll('\n', ' ')).trimEnd();
}

export function labelForScreen(text: string): string {
  const read = text.length > MAX_LABEL_CHARS ? copyOf(text.slice(0, MAX_LABEL_CHARS)) : text;
  return forScreen(read).replace(/\s+/g, ' ').trim();
}

/**
 * V8 keeps the whole string in memory for a slice of it, even a gigabyte. A part that stays must be a new
 * string.
 */
function copyOf(part: string): string {
  return Buffer.from(part).toString();
}

const ASCII: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '·': '-',
  '•': '*',
  '→': '->',
  '✓': '+',
  '✗': 'x',
  '─': '-',
  '●': '*',
  '◌': '.',
  '○': 'o',
  '▌': '>',
  '↑': '^',
  '↓': 'v',
};

/** For a terminal without UTF-8, which would take some bytes of it for control characters. */
export function toAscii(text: string): string {
  return text
    .replace(/\P{ASCII}/gu, (character) => ASCII[character] ?? character)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\P{ASCII}/gu, '?');
}

/** How many lines are kept at either end, at least one each. */
export interface FoldShape {
  readonly head: number;
  readonly tail: number;
  readonly line: number;
}

export interface Folded {
  readonly head: readonly string[];
  readonly hidden: number;
  readonly tail: readonly string[];
}

/**
 * Folds only where that hides at least two lines, as the mark takes one line itself. `all`: lines before an
 * earlier cut.
 */
export function foldOutput(outside: string, { head, tail, line: most }: FoldShape, all = 0): Folded {
  const text = outside.replace(/^\s*\n/, '').trimEnd();
  const lines = text === '' ? [] : text.split('\n');
  const shown = (some: readonly string[]) => some.map((line) => lineForScreen(copyOf(bounded(line, most))));
  const hidden = lines.length - head - tail;
  if (hidden < 2) return { head: shown(lines), hidden: 0, tail: [] };
  return {
    head: shown(lines.slice(0, head)),
    hidden: Math.max(hidden, all - head - tail),
    tail: shown(lines.slice(-tail)),
  };
}

/** Keeps the end of a line that redraws itself, and the beginning of any other. */
function bounded(line: string, most: number): string {
  if (line.length <= most) return line;
  return line.slice(0, -1).includes('\r') ? line.slice(-most) : line.slice(0, most);
}
