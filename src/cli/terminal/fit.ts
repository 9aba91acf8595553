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
  const left = /^ */.exec(line)?.[0] ?? '';
  return filled(left, line.slice(left.length), width, hang);
}

function filled(left: string, text: string, width: number, hang: number): string[] {
  if (shownWidth(left + text) <= width) return [left + text];
  const small = ' '.repeat(Math.min(hang, SMALL_INDENT));
  const indent = width - hang < LEAST_COLUMN ? small : ' '.repeat(hang);
  const lines: string[] = [];
  let now = left + (/^ */.exec(text)?.[0] ?? '');
  let isEmpty = true;
  for (const [word] of text.matchAll(/[^ ]+ */g)) {
    if (!isEmpty && shownWidth((now + word).trimEnd()) > width) {
      lines.push(now.trimEnd());
      // A path that is too long for its column may still fit further left.
      now = shownWidth((indent + word).trimEnd()) > width ? small : indent;
    }
    now += word;
    isEmpty = false;
  }
  return [...lines, now.trimEnd()];
}

/** Puts `text` in a column of its own, after `left`. */
export function hanging(left: string, text: string, width: number): string {
  return filled(left, text, width, shownWidth(left)).join('\n');
}

function indentOf(line: string): number {
  return HANGING.exec(stripVTControlCharacters(line))?.[0].length ?? 0;
}
