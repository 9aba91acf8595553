/**
 * The promise grammar (design §4): what the tags of an agent's final message mean.
 * It judges tags that were found already, and never sees the Markdown they stood in.
 */
import { oneLine } from './harmless.ts';

/** A tag pair that was seen in the agent's final message. */
export interface Tag {
  /** `promise`, or one of the mode signals. */
  name: string;
  /** What stands between the two tags, as written. */
  text: string;
  /** What it stands in. Only prose counts. */
  where: 'prose' | 'code' | 'quote' | 'comment';
  /** Alone on its line or lines, at the very end of the message, or inside other text. The last never counts. */
  place: 'line' | 'end' | 'inside';
}

export type PromiseReading = { is: 'kept' } | { is: 'absent' } | { is: 'missed'; near: NearMiss };

export interface NearMiss {
  is: 'in-code' | 'in-quote' | 'in-comment' | 'mid-sentence' | 'other-text' | 'contradicted';
  /** The text of the tag that was seen; of the BLOCKED or ESCALATE when contradicted. Bounded. */
  seen: string;
}

export interface Distress {
  is: 'blocked' | 'escalate';
  /** The agent's reason, empty when it gave none. Bounded. */
  words: string;
}

/** Enough to recognise a text by, and little enough to repeat at every stop. */
const SEEN_LIMIT = 200;

/** A person reads these words, once, at the end of a loop. */
const DISTRESS_LIMIT = 1_000;

const DISTRESS = /^(BLOCKED|ESCALATE)(?: ?[:\-–—] ?(.*))?$/u;

export function readPromise(tags: readonly Tag[], wanted: string): PromiseReading {
  const promises = tags.filter((tag) => tag.name === 'promise');
  const claims = promises.filter((tag) => distressIn(tag, wanted) === null);
  if (claims.some((tag) => stands(tag) && says(tag, wanted))) {
    const against = promises.findLast((tag) => stands(tag) && distressIn(tag, wanted) !== null);
    return against ? missed('contradicted', against) : { is: 'kept' };
  }
  const nearest = claims.findLast((tag) => says(tag, wanted)) ?? claims.findLast(stands) ?? claims.at(-1);
  return nearest ? missed(flawOf(nearest), nearest) : { is: 'absent' };
}

/**
 * `wanted` is the promise of the loop, or null if it has none: a loop that waits for the promise
 * `BLOCKED` is fulfilled by that word, not in distress. It stays set when the promise is contradicted.
 */
export function readDistress(tags: readonly Tag[], wanted: string | null): Distress | null {
  const cries = tags.filter((tag) => tag.name === 'promise' && stands(tag));
  return cries.map((tag) => distressIn(tag, wanted)).findLast((distress) => distress !== null) ?? null;
}

/** The words to the agent: what was seen, and what would count. */
export function sayNearMiss(near: NearMiss, wanted: string): string {
  const counts = `To end the loop, write <promise>${wanted}</promise> as plain text, alone on its own line, and only when it is true.`;
  return `${sayFlaw(near)} ${counts}`;
}

/** Line breaks and runs of spaces carry no meaning in a promise: an agent wraps its lines as it likes. */
export function foldSpace(text: string): string {
  return text.trim().replace(/\s+/gu, ' ');
}

function sayFlaw({ is, seen }: NearMiss): string {
  const tag = `<promise>${seen}</promise>`;
  switch (is) {
    case 'in-code':
      return `Your last message has ${tag} inside code, where it does not count.`;
    case 'in-quote':
      return `Your last message has ${tag} inside a quote, where it does not count (a line directly below a quote belongs to it: leave a blank line).`;
    case 'in-comment':
      return `Your last message has ${tag} inside an HTML comment, where it does not count.`;
    case 'mid-sentence':
      return `Your last message has ${tag} with other text or markup around it, where it does not count.`;
    case 'other-text':
      return `Your last message has ${tag}, which is not the text of the promise.`;
    case 'contradicted':
      return `Your last message has the promise together with ${tag}. They contradict each other, so the promise does not count.`;
  }
}

function missed(is: NearMiss['is'], tag: Tag): PromiseReading {
  return { is: 'missed', near: { is, seen: oneLine(tag.text, SEEN_LIMIT) } };
}

function flawOf(tag: Tag): NearMiss['is'] {
  if (tag.where !== 'prose') return `in-${tag.where}`;
  return tag.place === 'inside' ? 'mid-sentence' : 'other-text';
}

function stands(tag: Tag): boolean {
  return tag.where === 'prose' && tag.place !== 'inside';
}

function says(tag: Tag, wanted: string): boolean {
  return foldSpace(tag.text) === foldSpace(wanted);
}

function distressIn(tag: Tag, wanted: string | null): Distress | null {
  if (wanted !== null && says(tag, wanted)) return null;
  const [, word, reason = ''] = DISTRESS.exec(foldSpace(tag.text)) ?? [];
  if (word === undefined) return null;
  return { is: word === 'BLOCKED' ? 'blocked' : 'escalate', words: oneLine(reason, DISTRESS_LIMIT) };
}
