/** Finds our tags in an agent's message, and where each one is. `law/proof/promise` judges what they mean. */
import { claimLine, USUAL_PROMISE } from '#law/gates.ts';
import type { Declared, Frame, Loop } from '#law/loop.ts';
import { readSaid, type Tag } from '#law/proof/promise.ts';
import { mayHoldTag, TAGS } from '#base/words/sanitize.ts';
import type { Said } from '#law/stop.ts';
import { surveyMarkdown, type Literal } from './markdown.ts';

/**
 * `said`: what the agent said by a tool since its last stop. It counts like a tag at the end of the message.
 * `awaits`: it said before that it is done, and that stands until it says something else.
 */
export function hearSaid(
  message: string,
  frame: Frame,
  { said, awaits }: Pick<Loop['session'], 'said' | 'awaits'> = { said: null, awaits: null },
): Said | null {
  const tags = findTags(message, TAGS);
  const still = awaits === null || tags.length > 0 ? null : ({ what: 'done', words: '' } as const);
  const declared = said ?? still;
  return readSaid(declared === null ? tags : [...tags, tagOf(declared, frame)], frame);
}

function tagOf({ what, words }: Declared, frame: Frame): Tag {
  const [name, text] = what === 'done' ? claimOf(frame) : ['promise', `${what.toUpperCase()}: ${words}`];
  return { name, text, where: 'prose', place: 'end' };
}

/** The usual promise is known to stop hooks even where no claim is required. */
function claimOf(frame: Frame): readonly [name: string, text: string] {
  const [, name, text] = /^<([\w-]+)>(.*)<\//s.exec(claimLine(frame) ?? '') ?? [];
  return name === undefined || text === undefined ? ['promise', USUAL_PROMISE] : [name, text];
}

/** Several times a model's longest answer. The Markdown parser would take seconds for a longer message. */
const MAX_MESSAGE_CHARS = 2 * 1024 * 1024;

export function findTags(message: string, names: readonly string[]): Tag[] {
  if (message.length > MAX_MESSAGE_CHARS || !mayHoldTag(message, names)) return [];
  const literals = findLiterals(message, names);
  const homes = surveyMarkdown(message, literals);
  return literals.flatMap((open, k) => {
    const close = literals[k + 1];
    if (!close || open.closing || !close.closing || close.name !== open.name) return [];
    const [home, closeHome] = [homes.get(k), homes.get(k + 1)];
    if (!home || !closeHome || home.block !== closeHome.block) return [];
    return {
      name: open.name,
      text: message.slice(open.end, close.start),
      where: home.where === 'prose' ? closeHome.where : home.where,
      place: placeOf(message, open.start, close.end),
    };
  });
}

function findLiterals(message: string, names: readonly string[]): Literal[] {
  const literal = new RegExp(`<(/?)(${names.join('|')})>`, 'g');
  return Array.from(message.matchAll(literal), (match) => ({
    name: match[2] ?? '',
    closing: match[1] === '/',
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function placeOf(message: string, start: number, end: number): Tag['place'] {
  const [, space = '', next = ''] = /^(\s*)(\S?)/.exec(message.slice(end)) ?? [];
  const last = next === '';
  if (isFirstInLine(message, start) && (last || /[\r\n]/.test(space))) return 'line';
  return last ? 'end' : 'inside';
}

function isFirstInLine(message: string, start: number): boolean {
  for (let at = start - 1; at >= 0; at--) {
    const character = message.charAt(at);
    if (character === '\n' || character === '\r') return true;
    if (character.trim() !== '') return false;
  }
  return true;
}
