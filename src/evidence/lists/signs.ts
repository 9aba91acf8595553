/**
 * Signs that say done or open without a box: `✅`, `⏳`, `🚧`. They are as often ornaments ("✅ fast") or
 * verdicts, so they count only in a file without boxes, and only where both kinds are together: in one table,
 * or in the list lines of the file. There each becomes a plain box. `❌` also says that something is not
 * wanted or not supported. So it is open only beside a sign or a word that can only mean progress: in its
 * section, in its column, or above it as a header.
 */
import { hiddenLines } from './hidden.ts';
import { isTick, stateOf } from './states.ts';
import { openRows, readCell, saysStatus, SIGN, signState, tablesIn } from './tables.ts';
import type { CellState, Table } from './tables.ts';
import { isStatusAlone } from './unread.ts';

const SIGN_IN_LINE = new RegExp(
  String.raw`^([ \t]*(?:(?:[-*+•◦‣▪●○–—]|\d{1,9}[.)])[ \t]+)?(?:\*\*|__)?)${SIGN}`,
  'su',
);
const HEADING = /^ {0,3}#{1,6}[ \t]/;
const BOX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]?\]|^#{1,6}[ \t].*\[[ xX]\]|\|[ \t]*\[[ xX]\][ \t]*\|/;

interface PlainLines {
  readonly lines: readonly string[];
  /** Rows that are not done and are no items; rows of a list that say neither. Both by index. */
  readonly undone: ReadonlySet<number>;
  readonly unmarked: readonly number[];
}

/** `known`: the list had open signs when it was last read, so done ones need none beside them. */
export function signsToBoxes(lines: readonly string[], known: boolean): PlainLines {
  const hidden = hiddenLines(lines);
  const seen = lines.map((line, k) => (hidden[k] === true ? '' : line));
  const tables = tablesIn(seen);
  const undone = openRows(tables);
  if (lines.some((line) => BOX.test(line))) return { lines, undone, unmarked: [] };
  const plain = boxedLines(lines, seen, known);
  const unmarked = tables.flatMap((table) => boxRows(table, plain, known));
  return { lines: plain, undone, unmarked };
}

function counts(states: readonly CellState[], known: boolean): boolean {
  return states.includes('done') && (known || states.includes('open'));
}

function boxedLines(lines: readonly string[], seen: readonly string[], known: boolean): string[] {
  const states = withProgressBeside(seen, seen.map(lineState));
  if (!counts(states, known)) return [...lines];
  return lines.map((line, k) =>
    seen[k] === '' || states[k] === 'not' || isStatusAlone(line) ? line : boxedLine(line),
  );
}

/** A `❌` is open in a section where another sign can only mean that something is not done yet. */
function withProgressBeside(lines: readonly string[], states: readonly CellState[]): CellState[] {
  let section = 0;
  const sections = lines.map((line) => (HEADING.test(line) ? ++section : section));
  const inProgress = new Set(sections.filter((_, k) => states[k] === 'open'));
  return states.map((state, k) => (state === 'not' && inProgress.has(sections[k] ?? 0) ? 'open' : state));
}

function boxedLine(line: string): string {
  const [, head = '', sign = '', words = line] = SIGN_IN_LINE.exec(line) ?? [];
  return sign === '' ? line : `${head}${boxFor(isTick(sign))} ${words}`;
}

function boxFor(done: boolean): string {
  return done ? '[x]' : '[ ]';
}

/** A line with nothing but the name of a state may explain the sign. */
function lineState(line: string): CellState {
  const [, , sign = '', words = ''] = SIGN_IN_LINE.exec(line) ?? [];
  return words === '' || stateOf(words) !== 'unknown' ? 'neither' : signState(sign);
}

/** Writes the rows of a list into `plain`, with boxes. Returns its rows that say neither. */
function boxRows(table: Table, plain: string[], known: boolean): number[] {
  const [column, ...others] = columnsWithTick(table);
  // Ticks in several columns compare things.
  if (column === undefined || others.length > 0) return [];
  const read = table.rows.map(({ line, cells }) => ({ line, cells, ...readCell(cells[column] ?? '') }));
  const isProgress = saysStatus(table.header[column]) || read.some(({ state }) => state === 'open');
  const states = read.map(({ state }): CellState => (state === 'not' && isProgress ? 'open' : state));
  if (!counts(states, known)) return [];
  return read.flatMap(({ line, cells, words }, k) => {
    if (states[k] === 'neither' || states[k] === 'not') return [line];
    plain[line] = cells.with(column, ` ${boxFor(states[k] === 'done')} ${words} `).join('|');
    return [];
  });
}

function columnsWithTick({ rows }: Table): number[] {
  const columns = rows.flatMap(({ cells }) =>
    cells.flatMap((cell, column) => (isTick(cell.trim().split(/[ \t]/)[0] ?? '') ? [column] : [])),
  );
  return [...new Set(columns)];
}
