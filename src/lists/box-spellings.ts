/**
 * The ways in which people spell a box: `[]`, `[x ]`, `**[ ]**`, `\[ \]`, `☐`. Each becomes the plain `[ ]` or `[x]`, so
 * that nobody else has to know them.
 */

/** Spaces that look like one, and wide brackets. */
export function plainLine(line: string): string {
  return line.replace(/[\u00A0\u2007\u202F\u3000]/g, ' ').replace(/［([^［］\n]{0,20})］/gu, '[$1]');
}

const OPEN_GLYPH = /^(?:[☐□▢◻◽⬜]\uFE0F?|🔲|🔳)[ \t]*/u;
const DONE_GLYPH = /^☑\uFE0F?[ \t]*/u;

export function plainBox(words: string): string {
  return (
    words
      .replace(OPEN_GLYPH, '[ ] ')
      .replace(DONE_GLYPH, '[x] ')
      .replace(/^\\\[([^[\]\\\n]{0,3})\\\]/, '[$1]')
      .replace(/^`(\[[ xX~/-]\])`/, '$1')
      // `**[ ]** words` and `**[ ] words**`
      .replace(/^(\*\*|__|~~|\*|_)(\[[^[\]\n]{0,20}\])\1/, '$2')
      .replace(/^(\*\*|__|~~|\*|_)(\[[^[\]\n]{0,20}\][ \t][^\n]*?)\1/, '$2')
      // Without a space behind it. `[x](address)`, `[x][1]` and `[x]: address` are links, and `[]string` is code.
      .replace(/^\[([ xX])\](?=[^\s([:])/, '[$1] ')
      .replace(/^\[[ \t]*([^\s[\]]?)[ \t]*\]/, (_, mark: string) => `[${mark === '' ? ' ' : mark}]`)
  );
}

/** Markers that make a list item only in front of a box: `•`, `1.2`, `a)`, or a dash without a space. */
const ODD_MARKER =
  /^[ \t]*((?:[•◦‣▪●○–—]|\d{1,4}(?:\.\d{1,4}){1,4}[.):]?|\d{1,4}:?|[A-Za-z][.)])[ \t]+|[-*+•](?=\\?\[))(\S.*)$/su;

/** The marker and the words of such an item; null: it is none. */
export function oddItem(line: string): { readonly marker: string; readonly words: string } | null {
  const [, marker, words] = ODD_MARKER.exec(line) ?? [];
  return marker === undefined || words === undefined ? null : { marker: marker.trim(), words };
}

/** `T001 [ ] words`, `**T-2**: [x] words` and `words [ ]`, with the box in front; null: no box. */
export function boxInside(words: string): string | null {
  const [, id, box, rest] =
    /^((?:\*\*)?[A-Za-z]{0,8}[-_.]?\d[\w.-]{0,12}(?:\*\*)?[:.)]?)[ \t]+(\[[ xX~/-]?\])[ \t]+(.*)$/s.exec(
      words,
    ) ?? [];
  if (id !== undefined) return `${box} ${id} ${rest}`;
  const [, before, behind] = /^([^[\]]*\S)[ \t]+(\[[ xX]\])$/s.exec(words) ?? [];
  return before === undefined ? null : `${behind} ${before}`;
}
