/**
 * Signs that say done or open without a box: `✅`, `❌`, `⏳`. They are as often ornaments ("✅ fast") or verdicts, so
 * they count only in a file without boxes, and only where both kinds are together: in one table, or in the list lines of
 * the file. There each becomes a plain box.
 */
import { hiddenLines } from './hidden.ts';
import { isTick, stateOf } from './states.ts';

/** These mean "not done". Beside them, any other emoji leaves its line open as well. */
const OPEN = /^(?:[☐□▢◻◽⬜⏳⌛⏸⏭❌✗✘⚪]|🔲|🔳|🔄|🚧|🔴|🟡|🟠|📋|🔜)/u;
const SIGN = String.raw`((?:[✓☐□▢◻◽✗✘]|\p{Extended_Pictographic})\uFE0F?)[ \t]*(.*)$`;
const CELL = new RegExp(`^${SIGN}`, 'su');
const LINE = new RegExp(
  String.raw`^([ \t]*(?:(?:[-*+•◦‣▪●○–—]|\d{1,9}[.)])[ \t]+)?(?:\*\*|__)?)${SIGN}`,
  'su',
);
const SEPARATOR = /^\|[\s:|-]+$/;
const BOX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]?\]|^#{1,6}[ \t].*\[[ xX]\]|\|[ \t]*\[[ xX]\][ \t]*\|/;

type SignState = 'done' | 'open' | 'neither';

/**
 * `known`: the list had open signs when it was last read, so done ones need none beside them. `odd`: the rows of such a
 * table that say neither, by index.
 */
export function signsToBoxes(lines: readonly string[], known: boolean) {
  const odd: number[] = [];
  if (lines.some((line) => BOX.test(line))) return { lines, odd };
  const hidden = hiddenLines(lines);
  const seen = lines.map((line, k) => (hidden[k] === true ? '' : line));
  const counts = (states: readonly SignState[]) =>
    states.includes('done') && (known || states.includes('open'));
  const isList = counts(seen.map(lineState));
  const plain = lines.map((line, k) => (isList && hidden[k] === false ? boxedLine(line) : line));
  for (const rows of tablesIn(seen)) {
    const [column, ...others] = columnsWithTick(rows);
    // Ticks in several columns compare things.
    if (column === undefined || others.length > 0) continue;
    const cells = rows.map(({ k, cells: row }) => ({ k, row, ...readCell(row[column] ?? '') }));
    if (!counts(cells.map(({ state }) => state))) continue;
    for (const { k, row, state, words } of cells)
      if (state === 'neither') odd.push(k);
      else plain[k] = row.with(column, ` ${boxFor(state === 'done')} ${words} `).join('|');
  }
  return { lines: plain, odd };
}

function boxedLine(line: string): string {
  const [, head = '', sign = '', words = line] = LINE.exec(line) ?? [];
  return sign === '' ? line : `${head}${boxFor(isTick(sign))} ${words}`;
}

function boxFor(done: boolean): string {
  return done ? '[x]' : '[ ]';
}

function signState(sign: string): SignState {
  if (isTick(sign)) return 'done';
  return OPEN.test(sign) ? 'open' : 'neither';
}

/** A line with nothing but the name of a state may explain the sign. */
function lineState(line: string): SignState {
  const [, , sign = '', words = ''] = LINE.exec(line) ?? [];
  return words === '' || stateOf(words) !== 'unknown' ? 'neither' : signState(sign);
}

interface Row {
  readonly k: number;
  readonly cells: readonly string[];
}

function tablesIn(lines: readonly string[]): Row[][] {
  const tables: Row[][] = [[]];
  for (const [k, row] of lines.entries())
    if (!row.startsWith('|') || SEPARATOR.test(row)) tables.push([]);
    else tables.at(-1)?.push({ k, cells: row.split('|') });
  return tables;
}

function columnsWithTick(rows: readonly Row[]): number[] {
  const columns = rows.flatMap(({ cells }) =>
    cells.flatMap((cell, column) => (isTick(CELL.exec(cell.trim())?.[1] ?? '') ? [column] : [])),
  );
  return [...new Set(columns)];
}

/** By its sign and its word. A tick beside a word for "open" (`✅ Planned`) is open. */
function readCell(cell: string): { readonly state: SignState; readonly words: string } {
  const all = cell.trim();
  const [, sign = '', words = all] = CELL.exec(all) ?? [];
  if (all === '') return { state: 'neither', words };
  const [bySign, byWord] = [sign === '' ? 'neither' : signState(sign), stateOf(words === '' ? sign : words)];
  if (bySign === 'open' || byWord === 'open' || byWord === 'held') return { state: 'open', words };
  if (bySign === 'done' || byWord === 'done') return { state: 'done', words };
  return { state: sign === '' ? 'neither' : 'open', words };
}
