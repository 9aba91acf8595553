/** The lines of a Markdown text that code fences and HTML comments hide. */

const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/s;

/**
 * What hides the lines up to its end: where it began, what ends it, and where the text of its list item
 * begins.
 */
export interface HiddenLine {
  readonly line: number;
  readonly fence: string | null;
  readonly within: number;
}

export function hides(line: string, number: number, within: number): HiddenLine | null {
  const [, fence, info = ''] = FENCE.exec(line) ?? [];
  if (fence !== undefined && !(fence.startsWith('`') && info.includes('`')))
    return { line: number, fence, within };
  const start = line.trimStart();
  if (start.startsWith('<!--') && !start.includes('-->')) return { line: number, fence: null, within };
  return null;
}

export function ends({ fence }: HiddenLine, line: string): boolean {
  if (fence === null) return line.includes('-->');
  const closing = line.trim();
  return closing.startsWith(fence) && closing === closing.charAt(0).repeat(closing.length);
}

/** For each line, whether it is in a fence or a comment, or begins or ends one. */
export function hiddenLines(lines: readonly string[]): boolean[] {
  let hidden: HiddenLine | null = null;
  return lines.map((line, k) => {
    const before: HiddenLine | null = hidden;
    hidden = before === null ? hides(line, k + 1, -1) : ends(before, line) ? null : before;
    return before !== null || hidden !== null;
  });
}
