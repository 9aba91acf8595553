/** What comes from outside and goes to a model or a terminal: bounded, without control characters and our own tags. */

const TAGS = /<(\/?)(promise|loop-done|issue-complete|grind-done)(?=[\s>/])/gi;
// eslint-disable-next-line no-control-regex
const CONTROL =
  /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function harmless(outside: string): string {
  return outside.replace(/\r\n?/g, '\n').replace(CONTROL, '').replace(TAGS, '‹$1$2');
}

/** One line for a screen or a log. */
export function oneLine(outside: string, max: number): string {
  const line = harmless(outside).replace(/\s+/g, ' ').trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

/** The end of a long text, cut at a line where that costs little. */
export function tailOf(outside: string, max: number): string {
  const clean = harmless(outside).trimEnd();
  if (clean.length <= max) return clean;
  const cut = clean.slice(-max);
  const newline = cut.indexOf('\n');
  return `…\n${newline >= 0 && newline < max / 4 ? cut.slice(newline + 1) : cut}`;
}

/** In a fence that its content can't close. */
export function fenced(content: string): string {
  const longest = Math.max(2, ...(content.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${content}\n${fence}`;
}
