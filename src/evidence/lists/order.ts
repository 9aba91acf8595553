/** The working order of the items of a JSON list: by priority, and never before an item's dependencies. */
import { groupBy } from '#base/group-by.ts';
import { few } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { isRecord, text } from '#base/shape.ts';
import { wordList } from '#base/words/word-list.ts';
import { itemState, keysIn, fieldValueOf, type JsonObject } from './json/json-item.ts';
import { groupOf, type JsonItem } from './json/json-list.ts';

const PRIORITIES: readonly (readonly string[])[] = [
  ['critical', 'blocker', 'urgent', 'immediate'],
  ['highest', 'must'],
  ['high', 'major'],
  ['medium', 'normal', 'moderate', 'should', 'mid'],
  ['low', 'minor', 'could'],
  ['lowest', 'trivial', 'optional', 'wont', 'nice'],
];

/** Sorts after every number that people give. */
const NO_PRIORITY = Number.MAX_VALUE;

/** 1 comes before 2 and high before low, then items without a priority. */
function priorityOf(item: JsonObject): number {
  const value = fieldValueOf(item, ['priority', 'prio']);
  if (typeof value === 'number') return value;
  if (!text(value)) return NO_PRIORITY;
  const number = /^[^\p{L}\d]*p?(\d{1,9}(?:\.\d{1,4})?)\b/iu.exec(value)?.[1];
  if (number !== undefined) return Number(number);
  const [word = ''] = /\p{L}+/u.exec(value.replaceAll("'", '').toLowerCase()) ?? [];
  const rank = PRIORITIES.findIndex((words) => words.includes(word));
  return rank < 0 ? NO_PRIORITY : rank;
}

const AFTER = wordList(`
  dependson depends deps dependencies dependency blockedby requires prerequisites after
`);

/**
 * The ids of the items that have to be done first: texts, numbers, objects with an id, or a text with commas.
 */
function dependenciesOf(item: JsonObject): string[] {
  return keysIn(item, AFTER)
    .flatMap((key): unknown => item[key])
    .flat()
    .flatMap((one): string[] => {
      const id = isRecord(one) ? (one['id'] ?? one['task'] ?? one['story']) : one;
      if (typeof id === 'number') return [String(id)];
      return text(id) ? [id, ...id.split(/[,;]\s*/)] : [];
    });
}

export interface OrderEntry<T> {
  readonly data: T;
  readonly id: string;
  readonly rank: number;
  readonly after: readonly string[];
  /** A finished item blocks no other. */
  readonly done: boolean;
  /** The name of its own list beside others. */
  readonly group: string;
}

export function entryOf<T>(item: JsonItem, id: string, data: T): OrderEntry<T> {
  const value = isRecord(item.value) ? item.value : {};
  const state = itemState(value);
  // Blocked or postponed items come last.
  const rank = state === 'held' ? Infinity : priorityOf(value);
  return { data, id, done: state === 'done', rank, after: dependenciesOf(value), group: groupOf(item) };
}

/**
 * Lists below several keys may each count from 1. There an id gets the name of its list (`master/3`), and a
 * dependency is one of the same list. `notes`: for the person, since such lists are usually separate.
 */
export function orderEntries<T>(items: readonly OrderEntry<T>[]) {
  const byId = [...groupBy(items, ({ id }) => id).values()];
  const inGroups = byId.map((same) => new Set(same.map(({ group }) => group)));
  const groups = new Set(inGroups.filter(({ size }) => size > 1).flatMap((set) => [...set]));
  const own = (id: string, group: string) => (groups.has(group) ? `${group}/${id}` : id);
  const entries = items.map((item) => ({
    ...item,
    id: own(item.id, item.group),
    after: item.after.map((id) => own(id, item.group)),
  }));
  return { entries: inWorkOrder(entries), notes: sayGroups([...groups]) };
}

function sayGroups(groups: readonly string[]): string[] {
  const [first = ''] = groups;
  if (first === '') return [];
  const all = few(groups, (group) => oneLine(group, 40), 4).join(', ');
  const one = first.includes('/') ? '' : `; to take one, name it, as in FILE#${oneLine(first, 40)}`;
  return [`counts the lists ${all} together${one}`];
}

/**
 * An item that waits for a blocked one is blocked too. A cycle of dependencies is cut where it is found, and
 * its items are still worked off.
 */
function inWorkOrder<T>(items: readonly OrderEntry<T>[]): OrderEntry<T>[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const before = (item: OrderEntry<T>) => item.after.flatMap((id) => byId.get(id) ?? []);
  const waitsFor = groupBy(
    items.flatMap((item) => before(item).map((other) => ({ item, other }))),
    ({ other }) => other,
  );
  const blocked = new Set(items.filter(({ rank, done }) => rank === Infinity && !done));
  // The set grows while it is read.
  for (const item of blocked)
    for (const { item: waiting } of waitsFor.get(item) ?? []) if (!waiting.done) blocked.add(waiting);
  const rank = (item: OrderEntry<T>) => (blocked.has(item) ? Infinity : item.rank);
  const placed = new Set<OrderEntry<T>>();
  // Two infinite ranks differ by NaN. `|| 0` then keeps the order.
  for (const item of items.toSorted((a, b) => rank(a) - rank(b) || 0)) {
    const met = new Set<OrderEntry<T>>();
    // Without recursion, because a chain may be as long as the list.
    const waiting = [item];
    for (let last = waiting.at(-1); last !== undefined; last = waiting.at(-1)) {
      met.add(last);
      const first = before(last).find((other) => !placed.has(other) && !met.has(other));
      if (first === undefined) {
        placed.add(last);
        waiting.pop();
      } else waiting.push(first);
    }
  }
  return [...placed];
}
