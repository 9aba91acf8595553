/**
 * Cleans text from outside for a model or a terminal: bounded, without control characters and without our own
 * tags.
 */

export const TAGS = ['promise', 'loop-done', 'issue-complete', 'grind-done'];
const TAG = /<(\/?)(promise|loop-done|issue-complete|grind-done)(?=[\s>/])/gi;

export function harmless(outside: string): string {
  // Removes whole terminal sequences, control characters except tab and newline, and characters that change
  // the reading direction. Not declared next to TAG: a Unicode class takes 0.3 ms to set up, and most stops
  // need none.
  const control = /(?![\t\n])\p{Cc}(?:\[[0-9;?]*[ -/]*[@-~])?|[\u202A-\u202E\u2066-\u2069]/gu;
  return outside.replace(/\r\n?/g, '\n').replace(control, '').replace(TAG, '‹$1$2');
}

/**
 * Whether a message may contain one of these tags. Most contain none, so their stops never load the Markdown
 * parser.
 */
export function mayHoldTag(message: string, names: readonly string[]): boolean {
  return names.some((name) => message.includes(`<${name}>`) && message.includes(`</${name}>`));
}

/** Line breaks and runs of spaces mean nothing in a promise: agents wrap their lines freely. */
export function foldSpace(text: string): string {
  return text.trim().replace(/\s+/gu, ' ');
}

/** With our tags as they were written, for a reader in whose hands they promise nothing. */
export function withTags(cleaned: string): string {
  return cleaned.replace(/‹(\/?)(?=(?:promise|loop-done|issue-complete|grind-done)[\s>/])/gi, '<$1');
}

export function oneLine(outside: string, max: number): string {
  const line = harmless(outside).replace(/\s+/g, ' ').trim();
  return line.length > max ? `${headOf(line, max - 1)}…` : line;
}

/** The first `max` characters, never half of one: a model's API refuses a text with a lone surrogate. */
export function headOf(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

/** The end of a long text, cut at a line break if that costs little. */
export function tailOf(outside: string, max: number): string {
  const clean = harmless(outside).trimEnd();
  if (clean.length <= max) return clean;
  const cut = clean.slice(-max).replace(/^[\uDC00-\uDFFF]/, '');
  const newline = cut.indexOf('\n');
  return `…\n${newline < max / 4 ? cut.slice(newline + 1) : cut}`;
}

/** Both ends of a long text: the start says where something failed, the end how it ended. */
export function endsOf(outside: string, max: number): string {
  const clean = harmless(outside).trimEnd();
  if (clean.length <= max) return clean;
  const half = max >> 1;
  return `${headOf(clean, half)}\n…\n${clean.slice(-half).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

/** A longer run of backticks is decoration and would make the fence longer than its content. */
const LONGEST_RUN = '````````';

/** Puts content in a fence that the content can't close. */
export function fenced(content: string): string {
  const inside = content.replace(/`{9,}/g, `${LONGEST_RUN}…`);
  const longest = Math.max(2, ...(inside.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${inside}\n${fence}`;
}

/** In the notation of JSON, which can read it back. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

/**
 * Output of programs with the paths below one folder as a person in that folder would write them: a work tree
 * has a long path, and every line of a stack repeats it. Only for a screen: a command that a person agrees
 * to, and what is kept as evidence, stay as they are.
 */
export function nearPaths(text: string, folder: string): string {
  if (!text.includes(folder)) return text;
  const escaped = folder.replace(SPECIAL, '\\$&');
  // Not in the middle of a longer path, and only where a name follows.
  return text.replace(new RegExp(`(?<![\\w./~-])(?:file://)?${escaped}/(?=[\\w.@-])`, 'g'), '');
}
