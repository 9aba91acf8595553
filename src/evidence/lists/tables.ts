/**
 * Tables of a Markdown text, and which of their rows say that something is not done. A column tells the state
 * of its rows if its header says so, or if at least half of its cells name a state. A person is told about
 * such a row where it is no item: whatever its sign or word is, unless it plainly says "done".
 */
import { isTick, stateOf } from './states.ts';

export type CellState = 'done' | 'open' | 'not' | 'neither';

interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
}

/**
 * These can only mean that something is not done yet. Beside them, any other emoji leaves its line open as
 * well.
 */
export const OPEN_SIGNS = '[☐□▢◻◽⬜⏳⌛⏸⏭⚪]|🔲|🔳|🔄|🚧|🔴|🟡|🟠|🟥|🟨|🟧|📋|🔜';
/** "Not": not done, not supported, or not in scope. */
export const NOT_SIGNS = '[❌✗✘]';
const OPEN_SIGN = new RegExp(`^(?:${OPEN_SIGNS})`, 'u');
const NOT_SIGN = new RegExp(`^${NOT_SIGNS}`, 'u');
export const SIGN = String.raw`((?:[✓☐□▢◻◽✗✘]|\p{Extended_Pictographic})\uFE0F?)[ \t]*(.*)$`;
const SIGN_IN_CELL = new RegExp(`^${SIGN}`, 'su');
const SEPARATOR = /^\|[\s:|-]+$/;
const STATUS_HEADER =
  /^\W*(?:status|state|progress|done|stand|fortschritt|estado|stato|statut|état|статус|状态|狀態|状況|進捗|상태)\W*$/iu;
/** Words for a state that answer other questions as well: "Required: no". */
const ANSWERS = /^(?:no|none|new)$/i;

/** `lines`: those in code or a comment are empty. */
export function tablesIn(lines: readonly string[]): Table[] {
  const tables: { header: readonly string[]; rows: TableRow[] }[] = [];
  let current: { header: readonly string[]; rows: TableRow[] } | null = null;
  for (const [line, text] of lines.entries()) {
    if (!text.startsWith('|')) current = null;
    else if (SEPARATOR.test(text)) {
      const header: readonly string[] = current?.rows.pop()?.cells ?? [];
      tables.push((current = { header, rows: [] }));
    } else {
      if (current === null) tables.push((current = { header: [], rows: [] }));
      current.rows.push({ line, cells: text.split('|') });
    }
  }
  return tables;
}

/**
 * By its sign and its word. A tick beside a word for "open" (`✅ Planned`) is open. Any other emoji is a
 * verdict (`⚠️ Slow`) as often as a state, so like `❌` it is open only in a column that tells progress.
 */
export function readCell(cell: string): { readonly state: CellState; readonly words: string } {
  const all = cell.trim();
  const [, sign = '', words = all] = SIGN_IN_CELL.exec(all) ?? [];
  if (all === '' || ANSWERS.test(all)) return { state: 'neither', words };
  const byWord = stateOf(words === '' ? sign : words);
  const bySign = sign === '' ? 'neither' : signState(sign);
  if (bySign === 'open' || byWord === 'open' || byWord === 'held') return { state: 'open', words };
  if (bySign === 'done' || byWord === 'done') return { state: 'done', words };
  return { state: sign === '' ? 'neither' : 'not', words };
}

export function signState(sign: string): CellState {
  if (isTick(sign)) return 'done';
  if (NOT_SIGN.test(sign)) return 'not';
  return OPEN_SIGN.test(sign) ? 'open' : 'neither';
}

export function saysStatus(header: string | undefined): boolean {
  return header !== undefined && STATUS_HEADER.test(header);
}

/** The lines with a row that is not done by the word or sign in a column of states. */
export function openRows(tables: readonly Table[]): ReadonlySet<number> {
  return new Set(tables.flatMap((table) => stateColumns(table).flatMap((column) => openIn(table, column))));
}

function openIn({ header, rows }: Table, column: number): number[] {
  const isNamed = saysStatus(header[column]);
  return rows.flatMap(({ line, cells }) => {
    const { state, words } = readCell(cells[column] ?? '');
    // A header that says "status" makes any word one; a bare number is another kind of status (`404`).
    const isOdd = state === 'neither' && isNamed && /\p{L}/u.test(words) && !/^\d{3}\b/.test(words);
    return state === 'open' || state === 'not' || isOdd ? [line] : [];
  });
}

/** Where a header says "status", other columns with signs tell something else, such as a priority. */
function stateColumns({ header, rows }: Table): number[] {
  const named = header.flatMap((cell, column) => (saysStatus(cell) ? [column] : []));
  if (named.length > 0) return named;
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, column) => column).filter((column) => {
    const filled = rows.map(({ cells }) => cells[column]?.trim() ?? '').filter((cell) => cell !== '');
    const states = filled.filter((cell) => readCell(cell).state !== 'neither');
    return states.length > 0 && states.length * 2 >= filled.length;
  });
}
