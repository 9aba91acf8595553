/**
 * The bytes of one screen update: new entries scroll like any output, and the block below them is redrawn in place.
 *
 * Between updates the cursor rests in the first column of the block's last line. It stays there when the window is
 * resized, whereas the end of a full line may be on either of two lines. The `^C` that a terminal echoes then lands in
 * the margin.
 */
import { widthOf } from './width.ts';

export interface Drawn {
  readonly block: readonly string[];
  readonly width: number;
}

export interface Drawing {
  readonly bytes: string;
  readonly drawn: Drawn;
}

export const NOTHING_DRAWN: Drawn = { block: [], width: 0 };

const CSI = '\u001B[';
const HIDE_CURSOR = `${CSI}?25l`;
const SHOW_CURSOR = `${CSI}?25h`;
/** If the terminal draws a character wider than we expect, the line must not wrap, because we count the lines of the block. */
const NO_WRAP = `${CSI}?7l`;
const WRAP = `${CSI}?7h`;
const ERASE_BELOW = `${CSI}J`;
const ERASE_RIGHT = `${CSI}K`;
const COLOURS = new RegExp(`${CSI.replace('[', '\\[')}[0-9;]*m`, 'g');

export function draw(
  before: Drawn,
  told: readonly string[],
  block: readonly string[],
  width: number,
  reflows: boolean,
): Drawing {
  const drawn: Drawn = { block, width };
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
function rowsAbove({ block }: Drawn, width: number, reflows: boolean): number {
  return block
    .slice(0, -1)
    .reduce((rows, line) => rows + (reflows ? Math.max(1, Math.ceil(bareWidth(line) / width)) : 1), 0);
}

function bareWidth(line: string): number {
  return widthOf(line.replace(COLOURS, ''));
}

function up(rows: number): string {
  return rows === 0 ? '' : `${CSI}${rows}A`;
}
