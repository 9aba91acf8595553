/** `dacapo list`: one line per loop. */
import { stripVTControlCharacters } from 'node:util';
import { topFrame } from '../core/loop.ts';
import { iterationShown, report } from '../core/report.ts';
import { EXIT } from './exit-codes.ts';
import { findLoops, subject } from './loops.ts';
import { shownPath } from './project.ts';
import { paint, paintStatus, say, sayJson, WIDTH } from './terminal.ts';
import { ago } from './time.ts';
import { cliWorld } from './world.ts';

export interface ListOptions {
  readonly json: boolean;
  readonly all: boolean;
}

export async function runList({ json, all }: ListOptions): Promise<number> {
  const world = cliWorld();
  const loops = findLoops(all, world);
  const now = world.now();
  if (json) {
    sayJson(loops.map((loop) => report(loop, now)));
    return EXIT.ok;
  }
  if (loops.length === 0) {
    say(all ? 'No loops yet.' : 'No loops in this project. dacapo list --all shows other projects.');
    return EXIT.ok;
  }
  const heading = ['LOOP', 'STATUS', 'ITERATION', 'UPDATED', ...(all ? ['PROJECT'] : []), 'ABOUT'];
  const rows = loops.map((loop) => [
    loop.id,
    paintStatus(loop.status.is),
    `${iterationShown(loop)}/${topFrame(loop).iterations ?? '∞'}`,
    ago(loop.updatedAt, now),
    ...(all ? [shownPath(loop.project)] : []),
    subject(loop, world),
  ]);
  say(...table([heading.map((word) => paint.dim(word)), ...rows]));
  return EXIT.ok;
}

/** Where a terminal is too narrow for the other columns, the last one still says something, on the line below. */
const LEAST = 20;

/** The last column takes what is left of the line. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
  return rows.map((row) => {
    const fixed = row
      .slice(0, -1)
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)));
    const before = fixed.join('  ');
    return `${before}  ${cut(row.at(-1) ?? '', WIDTH - width(before) - 2)}`.trimEnd();
  });
}

function width(cell: string): number {
  return stripVTControlCharacters(cell).length;
}

function cut(cell: string, most: number): string {
  const room = Math.max(most, LEAST);
  return width(cell) <= room ? cell : `${cell.slice(0, room - 1)}…`;
}
