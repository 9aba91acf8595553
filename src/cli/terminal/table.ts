/** Rows in columns, as wide as the terminal. */
import { stripVTControlCharacters } from 'node:util';
import { clip, widthOf } from '../../screen/width.ts';
import { WIDTH } from './terminal.ts';

/** Where a terminal is too narrow for the other columns, the last one still says something, on the line below. */
const LEAST = 20;

/** The last column takes what is left of the line. */
export function table(rows: readonly (readonly string[])[], most: number = WIDTH): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  return rows.map((row) => {
    const fixed = row
      .slice(0, -1)
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)));
    const before = fixed.join('  ');
    return `${before}  ${cut(row.at(-1) ?? '', most - width(before) - 2)}`.trimEnd();
  });
}

function width(cell: string): number {
  return widthOf(stripVTControlCharacters(cell));
}

function cut(cell: string, most: number): string {
  const room = Math.max(most, LEAST);
  return width(cell) <= room ? cell : clip(stripVTControlCharacters(cell), room, '…');
}
