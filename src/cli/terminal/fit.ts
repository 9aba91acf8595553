/** Wraps lines to the width of the terminal, at spaces only, so that an id or a path can still be copied whole. */
import { stripVTControlCharacters } from 'node:util';
import { widthOf } from '../../screen/width.ts';

/** The indentation of a line and its mark. Wrapped text aligns with the words after them. */
const HANGING = /^ *(?:[✓✗·!→-] +)?/;
/** A narrower column is harder to read than a small indentation. */
const LEAST_COLUMN = 24;
const SMALL_INDENT = 4;

/** The columns that a line takes on a screen. Colour codes take none. */
export function shownWidth(line: string): number {
  return widthOf(stripVTControlCharacters(line));
}

/** `hang`: the column in which the second line begins (default: under the first word). */
export function fit(line: string, width: number, hang: number = indentOf(line)): string[] {
  if (shownWidth(line) <= width) return [line];
  const indent = ' '.repeat(width - hang < LEAST_COLUMN ? Math.min(hang, SMALL_INDENT) : hang);
  const lines: string[] = [];
  const left = /^ */.exec(line)?.[0] ?? '';
  let now = left;
  let isEmpty = true;
  for (const [word] of line.slice(left.length).matchAll(/[^ ]+ */g)) {
    if (!isEmpty && shownWidth((now + word).trimEnd()) > width) {
      lines.push(now.trimEnd());
      now = indent;
    }
    now += word;
    isEmpty = false;
  }
  return [...lines, now.trimEnd()];
}

/** Puts `text` in a column of its own, after `left`. */
export function hanging(left: string, text: string, width: number): string {
  return fit(`${left}${text}`, width, shownWidth(left)).join('\n');
}

function indentOf(line: string): number {
  return HANGING.exec(stripVTControlCharacters(line))?.[0].length ?? 0;
}
