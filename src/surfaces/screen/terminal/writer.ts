/**
 * The bytes of one screen update: new entries scroll like any output, and the block below them is redrawn in
 * place.
 *
 * Between updates the cursor rests in the first column of the block's last line. It stays there when the
 * window is resized, whereas the end of a full line may be on either of two lines. The `^C` that a terminal
 * echoes then lands in the margin.
 */
import { widthOf } from './width.ts';

export interface DrawnBlock {
  readonly block: readonly string[];
  readonly width: number;
}

export const NOTHING_DRAWN: DrawnBlock = { block: [], width: 0 };

const CSI = '\u001B[';
const HIDE_CURSOR = `${CSI}?25l`;
const SHOW_CURSOR = `${CSI}?25h`;
/**
 * If the terminal draws a character wider than we expect, the line must not wrap, because we count the lines
 * of the block.
 */
const NO_WRAP = `${CSI}?7l`;
const WRAP = `${CSI}?7h`;
const ERASE_BELOW = `${CSI}J`;
const ERASE_RIGHT = `${CSI}K`;
const COLOURS = new RegExp(`${CSI.replace('[', '\\[')}[0-9;]*m`, 'g');

export function draw(before: DrawnBlock, drawn: DrawnBlock, told: readonly string[], reflows: boolean) {
  const { block, width } = drawn;
  const isSame = before.block.length === block.length && before.width === width;
  if (told.length === 0 && isSame) return { bytes: changes(before.block, block), drawn };
  if (told.length === 0 && before.block.length + block.length === 0) return { bytes: '', drawn };
  const top = `\r${up(rowsAbove(before, width, reflows))}${ERASE_BELOW}`;
  const flow = told.map((line) => `${line}\r\n`).join('');
  const below = block.length === 0 ? '' : `${NO_WRAP}${block.join('\r\n')}\r${WRAP}`;
  return { bytes: `${HIDE_CURSOR}${top}${flow}${below}${SHOW_CURSOR}`, drawn };
}

/** Redraws only the lines that differ, and the last one, where the terminal echoes what a person types. */
function changes(before: readonly string[], block: readonly string[]): string {
  const first = block.findIndex((line, n) => line !== before[n]);
  if (first < 0) return '';
  const last = block.length - 1;
  const lines = block
    .slice(first)
    .map((line, n) => (line === before[first + n] && first + n < last ? '' : `${line}${ERASE_RIGHT}\r`));
  return `${HIDE_CURSOR}${NO_WRAP}\r${up(last - first)}${lines.join('\n')}${WRAP}${SHOW_CURSOR}`;
}

/** How far above the cursor the block begins. In a window that got narrower its lines may have wrapped. */
function rowsAbove({ block }: DrawnBlock, width: number, reflows: boolean): number {
  if (!reflows) return Math.max(0, block.length - 1);
  const widths = block.slice(0, -1).map((line) => widthOf(line.replace(COLOURS, '')));
  return widths.reduce((rows, one) => rows + Math.max(1, Math.ceil(one / width)), 0);
}

function up(rows: number): string {
  return rows === 0 ? '' : `${CSI}${rows}A`;
}

/* A view that fills the terminal: each update is one write that redraws only the rows that differ. */

/** Terminals that know it show the update at once. Others ignore it. */
const BEGIN_UPDATE = `${CSI}?2026h`;
const END_UPDATE = `${CSI}?2026l`;
const CLEAR = `${CSI}2J`;

/** Pasted text is marked as such, so that it is not a key. */
export const MARK_PASTE = `${CSI}?2004h`;
export const PASTE_AS_TYPED = `${CSI}?2004l`;

export const ENTER = `${CSI}?1049h${CSI}?25l${MARK_PASTE}${CLEAR}`;
/** Puts back everything that `ENTER` and an interrupted update have changed. */
export const LEAVE = `${END_UPDATE}${CSI}0m${WRAP}${PASTE_AS_TYPED}${CSI}?25h${CSI}?1049l`;

export interface FullScreen {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

export const BLANK: FullScreen = { lines: [], width: 0, height: 0 };

/** Empty: nothing has changed. `lines`: at most one for each row. */
export function redraw(before: FullScreen, now: FullScreen): string {
  const isResized = before.width !== now.width || before.height !== now.height;
  const rows = now.lines.slice(0, now.height);
  const changed = rows.flatMap((line, row) =>
    !isResized && before.lines[row] === line ? [] : [`${CSI}${row + 1};1H${line}${ERASE_RIGHT}`],
  );
  const gone = isResized
    ? []
    : before.lines.slice(rows.length).map((_, k) => `${CSI}${rows.length + k + 1};1H${ERASE_RIGHT}`);
  if (!isResized && changed.length + gone.length === 0) return '';
  const cleared = isResized ? CLEAR : '';
  return [BEGIN_UPDATE, NO_WRAP, cleared, ...changed, ...gone, WRAP, END_UPDATE].join('');
}
