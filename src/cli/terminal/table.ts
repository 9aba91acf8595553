/** Prints rows in columns, as wide as the terminal. */
import { stripVTControlCharacters } from 'node:util';
import { clip } from '../../screen/width.ts';
import { fit, shownWidth as width, WIDTH } from './terminal.ts';

/** With less room for the last column, a table can't be read. */
const LEAST = 20;
const INDENT = 4;

/** The last column takes the rest of the line. */
export function table(rows: readonly (readonly string[])[], most: number = WIDTH): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  const fixedWidth = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  // Too narrow for columns: each row wraps over as many lines as it needs.
  if (fixedWidth + LEAST > most) return rows.flatMap((row) => fit(row.join('  '), most, INDENT));
  return rows.map((row) => {
    const fixed = row
      .slice(0, -1)
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)));
    const before = fixed.join('  ');
    return `${before}  ${cut(row.at(-1) ?? '', most - width(before) - 2)}`.trimEnd();
  });
}

function cut(cell: string, most: number): string {
  const room = Math.max(most, LEAST);
  return width(cell) <= room ? cell : clip(stripVTControlCharacters(cell), room, '…');
}
