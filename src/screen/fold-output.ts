/** Cuts a long text to its head and its tail without splitting all of it into lines: an output may be of any size. */
import { copyOf, lineForScreen } from './clean-text.ts';

/** How many lines are kept at either end, at least one each. */
export interface FoldShape {
  readonly head: number;
  readonly tail: number;
  /** How much of one line is kept, in characters. */
  readonly line: number;
}

export interface Folded {
  readonly head: readonly string[];
  readonly hidden: number;
  readonly tail: readonly string[];
}

/** Folds only where that hides at least two lines, as the mark takes one line itself. `all`: lines before an earlier cut. */
export function foldOutput(outside: string, shape: FoldShape, all = 0): Folded {
  const text = outside.replace(/^\s*\n/, '').trimEnd();
  if (text === '') return { head: [], hidden: 0, tail: [] };
  const headEnd = forwards(text, shape.head);
  const tailStart = backwards(text, shape.tail);
  const hidden = headEnd < tailStart ? countLines(text, headEnd, tailStart) : 0;
  if (hidden < 2) return { head: foldableLines(text, shape), hidden: 0, tail: [] };
  return {
    head: foldableLines(text.slice(0, headEnd - 1), shape),
    hidden: Math.max(hidden, all - shape.head - shape.tail),
    tail: foldableLines(text.slice(tailStart), shape),
  };
}

/** The position after the newline that ends line `count`. */
function forwards(text: string, count: number): number {
  let at = 0;
  for (let line = 0; line < count; line++) {
    const newline = text.indexOf('\n', at);
    if (newline < 0) return text.length;
    at = newline + 1;
  }
  return at;
}

/** The position where the last `count` lines begin. */
function backwards(text: string, count: number): number {
  let at = text.length;
  for (let line = 0; line < count; line++) {
    const newline = at === 0 ? -1 : text.lastIndexOf('\n', at - (at === text.length ? 1 : 2));
    if (newline < 0) return 0;
    at = newline + 1;
  }
  return at;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function foldableLines(text: string, { line: most }: FoldShape): string[] {
  return text.split('\n').map((line) => lineForScreen(copyOf(bounded(line, most))));
}

/** Keeps the end of a line that redraws itself, and the beginning of any other. */
function bounded(line: string, most: number): string {
  if (line.length <= most) return line;
  return line.slice(0, -1).includes('\r') ? line.slice(-most) : line.slice(0, most);
}
