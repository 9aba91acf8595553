/**
 * How a JSON item says that it is done: `"passes": true`, `"done": true`, `"status": "completed"`. Da Capo reads each
 * list by its own convention and tells the agent to write by it.
 */
import type { Mark } from '../core/record/features.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { text } from '../core/shape.ts';
import { stateOf, type ItemState } from './states.ts';

type Item = Readonly<Record<string, unknown>>;

/** In this order: a yes-or-no field comes before a word. */
const FIELDS: readonly string[] = [
  'passes',
  'passed',
  'passing',
  'done',
  'isDone',
  'is_done',
  'complete',
  'completed',
  'isComplete',
  'is_complete',
  'isCompleted',
  'is_completed',
  'finished',
  'checked',
  'status',
  'state',
];
const WORD_FIELDS: readonly string[] = ['status', 'state'];

/** For a list without such a field in any item. */
const USUAL_FIELD = 'passes';
/** A longer value is a remark. */
const WORD = 40;

/** The field that holds the status of this item; null: it has none. */
export function markFieldOf(item: Item): string | null {
  const given = FIELDS.filter((field) => item[field] !== undefined);
  return given.find((field) => item[field] !== null) ?? given[0] ?? null;
}

export function itemState(item: Item): ItemState {
  const field = markFieldOf(item);
  const value = field === null ? null : item[field];
  if (value === true) return 'done';
  if (value === false || value === null || value === undefined) return 'open';
  return text(value) ? stateOf(value) : 'unknown';
}

/** What to write to close and to reopen an item, following the other items of its list. */
export function marksOf(items: readonly Item[]): (item: Item) => Mark {
  const usual = mostOf(items.flatMap((item) => markFieldOf(item) ?? [])) ?? USUAL_FIELD;
  const known = new Map<string, Mark>();
  return (item) => {
    const field = markFieldOf(item) ?? usual;
    const mark = known.get(field) ?? markIn(items, field);
    known.set(field, mark);
    return mark;
  };
}

function markIn(items: readonly Item[], field: string): Mark {
  const words = items
    .map((item) => item[field])
    .filter((value) => text(value))
    .filter((word) => word.trim() !== '' && word.length <= WORD);
  if (words.length === 0 && !WORD_FIELDS.includes(field)) return { field, done: 'true', open: 'false' };
  const isDone = (word: string) => stateOf(word) === 'done';
  const open = mostOf(words.filter((word) => !isDone(word)));
  const done = mostOf(words.filter(isDone)) ?? doneFor(open ?? 'todo');
  return {
    field,
    done: JSON.stringify(oneLine(done, WORD)),
    open: JSON.stringify(oneLine(open ?? 'pending', WORD)),
  };
}

/** For a list in which nothing is done yet: the counterpart of its word for "open". */
function doneFor(open: string): string {
  const word = PAIRS.get(open.trim().toLowerCase()) ?? 'done';
  return open === open.toUpperCase() && open !== open.toLowerCase() ? word.toUpperCase() : word;
}

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['failing', 'passing'],
  ['fail', 'pass'],
  ['failed', 'passed'],
  ['incomplete', 'complete'],
  ['pending', 'completed'],
  ['open', 'closed'],
]);

function mostOf(words: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
