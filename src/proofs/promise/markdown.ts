/**
 * The only file that needs the Markdown tokenizer, so that the hook program can load it apart, when a tag is present.
 * Before parsing, each literal tag gets an HTML name of its own; where that name surfaces is where the tag stands.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import type { Tag } from '../../core/promise.ts';
import { startTrail } from './html-trail.ts';

/** One `<name>` or `</name>` as it stands in the message. */
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

/** The home of each literal, by its index. Escaped tags, and those in links or attributes, have none. */
export function surveyMarkdown(
  message: string,
  literals: readonly Literal[],
): ReadonlyMap<number, LiteralHome> {
  const stem = freshStem(message);
  const names = new RegExp(`</?${stem}(\\d+)>`, 'g');
  return survey(rendered.parse(rename(message, literals, stem), {}), names);
}

/** The message may hold any of these, and a long row of them: so the numbers that are taken are found in one walk. */
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

  // To Markdown, a fence right below `</details>` is part of that HTML and no fence at all; to everyone else it is one.
  // In an HTML block a tag must be prose in both readings.
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
