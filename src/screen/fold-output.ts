/** Cuts a long text to its head and its tail. */
import { copyOf, lineForScreen } from './clean-text.ts';

/** How many lines are kept at either end, at least one each. */
export interface FoldShape {
  readonly head: number;
  readonly tail: number;
  readonly line: number;
}

export interface Folded {
  readonly head: readonly string[];
  readonly hidden: number;
  readonly tail: readonly string[];
}

/** Folds only where that hides at least two lines, as the mark takes one line itself. `all`: lines before an earlier cut. */
export function foldOutput(outside: string, { head, tail, line: most }: FoldShape, all = 0): Folded {
  const text = outside.replace(/^\s*\n/, '').trimEnd();
  const lines = text === '' ? [] : text.split('\n');
  const shown = (some: readonly string[]) => some.map((line) => lineForScreen(copyOf(bounded(line, most))));
  const hidden = lines.length - head - tail;
  if (hidden < 2) return { head: shown(lines), hidden: 0, tail: [] };
  return {
    head: shown(lines.slice(0, head)),
    hidden: Math.max(hidden, all - head - tail),
    tail: shown(lines.slice(-tail)),
  };
}

/** Keeps the end of a line that redraws itself, and the beginning of any other. */
function bounded(line: string, most: number): string {
  if (line.length <= most) return line;
  return line.slice(0, -1).includes('\r') ? line.slice(-most) : line.slice(0, most);
}
