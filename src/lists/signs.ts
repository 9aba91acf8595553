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
const SEPARATOR = /^\|[\s:|-]*-[\s:|-]*$/;
const BOX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]?\]|^#{1,6}[ \t].*\[[ xX]\]|\|[ \t]*\[[ xX]\][ \t]*\|/;

type SignState = 'done' | 'open' | 'neither';

/** `known`: the list had open signs when it was last read, so done ones need none beside them. */
export function signsToBoxes(
  lines: readonly string[],
  known: boolean,
): {
  readonly lines: readonly string[];
  /** The rows that say neither, by index. */ readonly odd: readonly number[];
} {
  if (lines.some((line) => BOX.test(line))) return { lines, odd: [] };
  const hidden = hiddenLines(lines);
  const counts = (states: readonly SignState[]) =>
    states.includes('done') && (known || states.includes('open'));
  const plain = [...lines];
  const odd: number[] = [];
  const signs = lines.flatMap((line, k) => {
    const [, head, sign = '', words = ''] = hidden[k] === true ? [] : (LINE.exec(line) ?? []);
    return head === undefined ? [] : [{ k, head, sign, words }];
  });
  // A line with nothing but the name of a state may explain the sign.
  const meant = signs.filter(({ words }) => words !== '' && stateOf(words) === 'unknown');
  if (counts(meant.map(({ sign }) => signState(sign))))
    for (const { k, head, sign, words } of signs)
      plain[k] = `${head}${boxFor(isTick(sign) ? 'done' : 'open')} ${words}`;
  for (const table of tablesIn(lines, hidden)) {
    const rows = table.map(({ row }) => row.split('|'));
    const [column, ...others] = columnsWithTick(rows);
    if (column === undefined || others.length > 0) continue;
    const cells = rows.map((row) => readCell(row[column] ?? ''));
    if (!counts(cells.map(({ state }) => state))) continue;
    for (const [r, { k, row }] of table.entries()) {
      const { state, words } = cells[r] ?? readCell('');
      if (state === 'neither') odd.push(k);
      else
        plain[k] = row
          .split('|')
          .with(column, ` ${boxFor(state)} ${words} `)
          .join('|');
    }
  }
  return { lines: plain, odd };
}

function boxFor(state: SignState): string {
  return state === 'done' ? '[x]' : '[ ]';
}

function signState(sign: string): SignState {
  if (isTick(sign)) return 'done';
  return OPEN.test(sign) ? 'open' : 'neither';
}

interface Row {
  readonly k: number;
  readonly row: string;
}

/** The rows of each table below its head. */
function tablesIn(lines: readonly string[], hidden: readonly boolean[]): Row[][] {
  const tables: Row[][] = [[]];
  for (const [k, row] of lines.entries())
    if (!row.startsWith('|') || hidden[k] === true || SEPARATOR.test(row)) tables.push([]);
    else tables.at(-1)?.push({ k, row });
  return tables;
}

/** A table with ticks in several columns compares things, and is no list. */
function columnsWithTick(rows: readonly (readonly string[])[]): number[] {
  const columns = rows.flatMap((row) =>
    row.flatMap((cell, column) => (isTick(CELL.exec(cell.trim())?.[1] ?? '') ? [column] : [])),
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
