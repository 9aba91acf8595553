/** Lines as wide as the terminal: broken at spaces only, so that an id or a path can still be copied whole. */
import { stripVTControlCharacters } from 'node:util';
import { widthOf } from '../../screen/width.ts';

/** The indentation of a line, with its mark: what is broken off hangs under the words. */
const HANGING = /^ *(?:[✓✗·!→-] +)?/;
/** Narrower than this a column of its own is harder to read than a small indentation. */
const LEAST_COLUMN = 24;
const SMALL_INDENT = 4;

/** What a line takes on a screen: colours take nothing. */
export function shownWidth(line: string): number {
  return widthOf(stripVTControlCharacters(line));
}

/** `hang`: where the second line begins (default: under the first word). */
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

/** `text` in a column of its own, behind `left`. */
export function hanging(left: string, text: string, width: number): string {
  return fit(`${left}${text}`, width, shownWidth(left)).join('\n');
}

function indentOf(line: string): number {
  return HANGING.exec(stripVTControlCharacters(line))?.[0].length ?? 0;
}
