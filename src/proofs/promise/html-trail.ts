/**
 * Follows raw HTML through a message. Markdown splits `<blockquote>`, a blank line, a paragraph and `</blockquote>`
 * into separate blocks. Only a walk through all blocks shows which element a tag is inside of.
 */

type Hiding = 'code' | 'quote' | 'comment';

const HIDING: ReadonlyMap<string, Hiding> = new Map([
  ['blockquote', 'quote'],
  ['q', 'quote'],
  // What an agent tells another program, in a tag of that program, is not said to us.
  ['event', 'quote'],
  ...['code', 'kbd', 'pre', 'samp', 'script', 'style', 'template', 'textarea'].map(
    (name) => [name, 'code'] as const,
  ),
]);

/** Processing instructions, declarations and CDATA are as invisible as comments. */
const COMMENT = /<!--(?:-?>|[^]*?-->)|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|<![A-Za-z][^>]*>/;
const ENDLESS_COMMENT = /<(?:!--|\?|!\[CDATA\[|![A-Za-z])[^]*$/;
const ELEMENT = /<(?<slash>\/?)(?<name>[A-Za-z][A-Za-z0-9-]*)(?:"[^"]*"|'[^']*'|[^'"<>])*>/;
const PIECE = new RegExp(
  `(?<comment>${COMMENT.source})|(?<endless>${ENDLESS_COMMENT.source})|${ELEMENT.source}`,
  'g',
);

interface Span {
  where: Hiding;
  from: number;
  to: number;
}

export function startTrail() {
  let at = 0;
  const spans: Span[] = [];
  const open = new Map<string, Span[]>();
  let openedHere: Span[] = [];

  function openOrClose(name: string, closing: boolean): void {
    const where = HIDING.get(name);
    if (!where) return;
    const stack = open.get(name) ?? [];
    open.set(name, stack);
    if (closing) {
      const span = stack.pop();
      if (span) span.to = at;
      return;
    }
    const span = { where, from: at, to: Infinity };
    spans.push(span);
    stack.push(span);
    openedHere.push(span);
  }

  return {
    /** Reads a piece of raw HTML. `seen` gets each comment, and each element's markup as written. */
    follow(html: string, seen: (markup: string, is: 'comment' | 'element', at: number) => void): void {
      for (const { 0: markup, groups } of html.matchAll(PIECE)) {
        at++;
        if (groups?.name !== undefined) {
          openOrClose(groups.name.toLowerCase(), groups.slash === '/');
          seen(markup, 'element', at);
        } else {
          if (groups?.endless !== undefined) spans.push({ where: 'comment', from: at, to: Infinity });
          seen(markup, 'comment', at);
        }
      }
    },
    /** An element that is never closed hides only the rest of its own block, since it may just be mentioned. */
    endBlock(): void {
      for (const span of openedHere) if (span.to === Infinity) span.to = at + 1;
      openedHere = [];
    },
    /** What hides each of these positions. The positions must be in ascending order. */
    hiding(positions: readonly number[]): (Hiding | undefined)[] {
      spans.sort((a, b) => a.from - b.from);
      let next = 0;
      let longest: Span | undefined;
      return positions.map((position) => {
        for (let span = spans[next]; span && span.from < position; span = spans[++next]) {
          if (!longest || span.to > longest.to) longest = span;
        }
        return longest && longest.to > position ? longest.where : undefined;
      });
    },
  };
}
