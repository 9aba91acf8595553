/**
 * Finds where in a Markdown message each tag is. Before parsing, we give each literal tag a unique HTML name,
 * then look where that name appears. This is the only file that needs the Markdown parser, so the hook loads
 * it only if a tag is present.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import type { Tag } from '#law/proof/promise.ts';

/** One `<name>` or `</name>` as it is written in the message. */
export interface Literal {
  name: string;
  closing: boolean;
  start: number;
  end: number;
}

interface LiteralHome {
  where: Tag['where'];
  /** Two tags in the same block, or in the same piece of code, have the same number. */
  block: number;
}

const rendered = new MarkdownIt({ html: true });
const withoutHtmlBlocks = new MarkdownIt({ html: true }).disable('html_block');

/** The home of each literal, by its index. Escaped tags have none, nor do tags in links or attributes. */
export function surveyMarkdown(message: string, literals: readonly Literal[]): Map<number, LiteralHome> {
  const stem = freshStem(message);
  const names = new RegExp(`</?${stem}(\\d+)>`, 'g');
  return survey(rendered.parse(rename(message, literals, stem), {}), names);
}

/** The message may contain many such names already, so we collect the numbers in use in one pass. */
function freshStem(message: string): string {
  const taken = new Set(Array.from(message.matchAll(/tag-(\d+)-/g), ([, number = '']) => number));
  let number = 0;
  while (taken.has(String(number))) number++;
  return `tag-${number}-`;
}

function rename(message: string, literals: readonly Literal[], stem: string): string {
  let renamed = '';
  let from = 0;
  for (const [k, { start, end, closing }] of literals.entries()) {
    renamed += `${message.slice(from, start)}<${closing ? '/' : ''}${stem}${k}>`;
    from = end;
  }
  return renamed + message.slice(from);
}

function survey(tokens: readonly Token[], names: RegExp): Map<number, LiteralHome> {
  const homes = new Map<number, LiteralHome>();
  const trail = startTrail();
  const surfaced: { k: number; at: number }[] = [];
  let quotes = 0;
  let blocks = 0;

  function readCode(text: string): void {
    const block = ++blocks;
    for (const k of literalsIn(text, names)) homes.set(k, { where: 'code', block });
  }

  function readHtml(html: string, block: number): void {
    trail.follow(html, (markup, is, at) => {
      const within = literalsIn(markup, names);
      if (is === 'comment') {
        for (const k of within) homes.set(k, { where: 'comment', block });
        return;
      }
      const [k] = within;
      if (k === undefined || markup.replace(names, '') !== '') return;
      homes.set(k, { where: quotes > 0 ? 'quote' : 'prose', block });
      surfaced.push({ k, at });
    });
  }

  // Markdown reads a fence right below `</details>` as part of that HTML; people read it as a fence. So a tag
  // in an HTML block must be prose in both readings.
  function readAgainAsMarkdown(html: string): void {
    const again = survey(withoutHtmlBlocks.parse(html, {}), names);
    for (const k of literalsIn(html, names)) {
      const home = homes.get(k);
      const where = again.get(k)?.where;
      if (home?.where === 'comment' || where === 'prose') continue;
      if (home && where) home.where = where;
      else homes.delete(k);
    }
  }

  function readInline(children: readonly Token[]): void {
    const block = ++blocks;
    for (const child of children) {
      if (child.type === 'code_inline') readCode(child.content);
      if (child.type === 'html_inline') readHtml(child.content, block);
    }
    trail.endBlock();
  }

  for (const token of tokens) {
    switch (token.type) {
      case 'blockquote_open':
        quotes++;
        break;
      case 'blockquote_close':
        quotes--;
        break;
      case 'code_block':
      case 'fence':
        readCode(`${token.info}\n${token.content}`);
        break;
      case 'html_block':
        readHtml(token.content, ++blocks);
        trail.endBlock();
        readAgainAsMarkdown(token.content);
        break;
      case 'inline':
        readInline(token.children ?? []);
        break;
    }
  }

  const hiding = trail.hiding(surfaced.map(({ at }) => at));
  for (const [i, { k }] of surfaced.entries()) {
    const home = homes.get(k);
    const where = hiding[i];
    if (home?.where === 'prose' && where) home.where = where;
  }
  return homes;
}

function literalsIn(text: string, names: RegExp): number[] {
  return Array.from(text.matchAll(names), (match) => Number(match[1]));
}

// Markdown splits `<blockquote>`, a blank line, a paragraph and `</blockquote>` into separate blocks. Only a
// walk through the raw HTML of all blocks shows which element a tag is inside of.

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

function startTrail() {
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
    /**
     * An element that is never closed hides only the rest of its own block, since it may just be mentioned.
     */
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
