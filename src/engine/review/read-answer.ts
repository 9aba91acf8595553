/**
 * Reads the answer of a reviewer by its structure. A reviewer quotes what it reads, and the work may contain
 * an object that looks like an answer. So its answer is the only object of that form in the whole message, on
 * lines of its own.
 */
import { flag, list, maybe, parseAs, record, text, type Infer } from '#base/shape.ts';
import type { EventOf } from '#law/record/events.ts';

const MAX_POINTS_KEPT = 20;
/** No answer is longer. */
const MAX_OBJECT_CHARS = 20_000;
/** How often a message may name the key, and how many braces may come before it. More is no answer. */
const MAX_PARSE_TRIES = 50;

const spoken = record({ approve: flag, missing: list(text), seen: maybe(list(text)) });
type SpokenAnswer = Infer<typeof spoken>;

export interface ReadAnswer extends Pick<EventOf<'reviewed'>, 'answer' | 'words'> {
  /** What the reviewer says it looked at, in its words: for an approval. */
  readonly seen: readonly string[];
}

/** Null: there is no answer that can be read. */
export function readAnswer(message: string): ReadAnswer | null {
  const found = objectsIn(message);
  const [only] = found ?? [];
  if (only === undefined || found?.length !== 1 || !standsAlone(message, only)) return null;
  const { approve, missing, seen = [] } = only.said;
  // An agent that names something missing has not approved.
  if (missing.length > 0) return { answer: 'objected', words: missing.slice(0, MAX_POINTS_KEPT), seen };
  return approve ? { answer: 'approved', words: ['nothing is missing'], seen } : null;
}

interface FoundObject {
  readonly from: number;
  readonly end: number;
  readonly said: SpokenAnswer;
}

/** Null: too many to look at. */
function objectsIn(message: string): FoundObject[] | null {
  const keys = [...message.matchAll(/"approve"\s*:/g)];
  if (keys.length > MAX_PARSE_TRIES) return null;
  const found = new Map<number, FoundObject>();
  for (const { index } of keys) {
    const object = objectAround(message, index);
    if (object !== null) found.set(object.from, object);
  }
  return [...found.values()];
}

/** The nearest object of that form that has this key. */
function objectAround(message: string, key: number): FoundObject | null {
  let from = key;
  for (let left = MAX_PARSE_TRIES; left > 0; left--) {
    from = from === 0 ? -1 : message.lastIndexOf('{', from - 1);
    if (from < 0 || key - from > MAX_OBJECT_CHARS) return null;
    const end = endOfObject(message, from);
    const said = end > key ? parseAs(spoken, message.slice(from, end)) : null;
    if (said !== null) return { from, end, said };
  }
  return null;
}

/** Where the braces that begin here are closed, outside of strings; -1: nowhere. */
function endOfObject(message: string, from: number): number {
  let depth = 0;
  let isString = false;
  const most = Math.min(message.length, from + MAX_OBJECT_CHARS);
  for (let at = from; at < most; at++) {
    const sign = message[at];
    if (isString && sign === '\\') at++;
    else if (sign === '"') isString = !isString;
    else if (!isString && sign === '{') depth++;
    else if (!isString && sign === '}' && --depth === 0) return at + 1;
  }
  return -1;
}

/** Within a sentence it is a quotation. */
function standsAlone(message: string, { from, end }: FoundObject): boolean {
  const before = message.slice(message.lastIndexOf('\n', from - 1) + 1, from);
  const after = message.slice(end).split('\n', 1)[0] ?? '';
  return before.trim() === '' && after.trim() === '';
}
