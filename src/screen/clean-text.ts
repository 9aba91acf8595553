/** What an agent, a tool or a check printed, made fit for a screen: it can't move the cursor, and its lines are lines. */
import { harmless } from '../core/sanitize.ts';
import { expandTabs } from './width.ts';

const [ESC, BEL, CSI, ST] = ['\u001B', '\u0007', '\u009B', '\u009C'];

/** Of texts that nobody is to read, in one character. */
const STARTS = '\u0090\u0098\u009D-\u009F';

/** Whole sequences: what `harmless` takes away of them would leave the rest as text. */
const SEQUENCES = new RegExp(
  [
    // Titles, links and the like carry text that nobody is to read. None holds the beginning of another: a row of
    // beginnings would be walked through from each.
    `(?:${ESC}[\\]PX^_]|[${STARTS}])[^${BEL}${ESC}${ST}${STARTS}\n]*(?:${BEL}|${ESC}\\\\|${ST})`,
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]`,
    `${ESC}[ -/]*[0-Z\\\\-~]`,
  ].join('|'),
  'g',
);
const LINE_ENDS = /[\u2028\u2029\v\f]/g;
/** Stands for `<`: a person reads `<promise>` as it was written; only a model must not meet our tags in words of others. */
const LESS_THAN = '\uE000';
/** More than any screen shows in a label. */
const LABEL_READ = 4_000;

/** Most of what is said. */
const PLAIN = /^[\t\n -~]*$/;

export function forScreen(outside: string): string {
  if (PLAIN.test(outside)) return outside;
  const text = outside
    .replace(SEQUENCES, '')
    .replace(LINE_ENDS, '\n')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replaceAll('<', LESS_THAN);
  return harmless(text).replaceAll(LESS_THAN, '<');
}

/** A bar of progress draws over itself: of such a line the last state counts. */
export function lineForScreen(line: string): string {
  // By hand: `/\r+$/` begins anew at every character of a long row.
  let end = line.length;
  while (line.charAt(end - 1) === '\r') end--;
  const shown = line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
  return expandTabs(forScreen(shown).replaceAll('\n', ' ')).trimEnd();
}

/** A label, a command, a reason: one line, with single spaces. */
export function labelForScreen(text: string): string {
  const read = text.length > LABEL_READ ? copyOf(text.slice(0, LABEL_READ)) : text;
  return forScreen(read).replace(/\s+/g, ' ').trim();
}

/** A slice of a string keeps the whole of it in memory, were it a gigabyte: what is to stay must be a string of its own. */
export function copyOf(part: string): string {
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
};

/** For a terminal without UTF-8, where some bytes of it would even be controls. */
export function toAscii(text: string): string {
  return text
    .replace(/\P{ASCII}/gu, (character) => ASCII[character] ?? character)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\P{ASCII}/gu, '?');
}
