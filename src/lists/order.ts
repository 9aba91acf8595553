/** The working order of the items of a JSON list: by priority, and never before an item's dependencies. */
import { groupBy } from '../core/group-by.ts';
import { few } from '../core/words/phrases.ts';
import { oneLine } from '../core/words/sanitize.ts';
import { isRecord, text } from '../core/shape.ts';
import { keyNames, keysIn, type JsonObject } from './json-keys.ts';
import { groupOf, type JsonItem } from './json-list.ts';
import { itemState } from './json-mark.ts';

/** Words of one rank are in one line. */
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

/** 1 comes before 2 and high before low, then items without a priority. Blocked or postponed items come last. */
function rankOf(item: JsonObject, isHeld: boolean): number {
  if (isHeld) return Infinity;
  return priorityIn(item) ?? NO_PRIORITY;
}

const KEYS = ['priority', 'prio'];

function priorityIn(item: JsonObject): number | null {
  const [key] = keysIn(item, KEYS);
  const value = key === undefined ? null : item[key];
  if (typeof value === 'number') return value;
  if (!text(value)) return null;
  const number = /^[^\p{L}\d]*p?(\d{1,9}(?:\.\d{1,4})?)\b/iu.exec(value)?.[1];
  if (number !== undefined) return Number(number);
  const [word = ''] = /\p{L}+/u.exec(value.replaceAll("'", '').toLowerCase()) ?? [];
  const rank = PRIORITIES.findIndex((words) => words.includes(word));
  return rank < 0 ? null : rank;
}

const AFTER = keyNames(`
  dependson depends deps dependencies dependency blockedby requires prerequisites after
`);

/** The ids of the items that have to be done first: texts, numbers, objects with an id, or a text with commas. */
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

interface Ranked {
  readonly id: string;
  readonly rank: number;
  readonly after: readonly string[];
  /** A finished item blocks no other. */
  readonly done?: boolean;
}

/** An item of a JSON list with what decides on its turn. */
export interface Entry<T> extends Ranked {
  readonly data: T;
  readonly done: boolean;
  /** The name of its own list beside others. */
  readonly group: string;
}

export function entryOf<T>(item: JsonItem, id: string, data: T): Entry<T> {
  const value = isRecord(item.value) ? item.value : {};
  const state = itemState(value);
  const [rank, after] = [rankOf(value, state === 'held'), dependenciesOf(value)];
  return { data, id, done: state === 'done', rank, after, group: groupOf(item) };
}

/**
 * Lists below several keys may each count from 1. There an id gets the name of its list (`master/3`), and a dependency
 * is one of the same list. `notes`: for the person, since such lists are usually separate.
 */
export function inOrder<T>(items: readonly Entry<T>[]): {
  readonly entries: readonly Entry<T>[];
  readonly notes: readonly string[];
} {
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

/** An item that waits for a blocked one is blocked too. A cycle of dependencies is cut where it is found, and its items are still worked off. */
function inWorkOrder<T extends Ranked>(items: readonly T[]): T[] {
  const all = new Map(items.map((item) => [item.id, item]));
  const blocked = blockedIn(items, all);
  const rank = (item: T) => (blocked.has(item) ? Infinity : item.rank);
  // Two infinite ranks differ by NaN. `|| 0` then keeps the order.
  const ranked = items.toSorted((a, b) => rank(a) - rank(b) || 0);
  const byId = new Map(ranked.map((item) => [item.id, item]));
  const placed = new Set<T>();
  for (const item of ranked) place(item, byId, placed);
  return [...placed];
}

/** Without recursion, because a chain may be as long as the list. */
function place<T extends Ranked>(item: T, byId: ReadonlyMap<string, T>, placed: Set<T>): void {
  const met = new Set<T>();
  const waiting = [item];
  for (let last = waiting.at(-1); last !== undefined; last = waiting.at(-1)) {
    met.add(last);
    const first = last.after
      .flatMap((id) => byId.get(id) ?? [])
      .find((other) => !placed.has(other) && !met.has(other));
    if (first !== undefined) {
      waiting.push(first);
      continue;
    }
    placed.add(last);
    waiting.pop();
  }
}

/** The items that wait for a blocked one, directly or through others. */
function blockedIn<T extends Ranked>(items: readonly T[], byId: ReadonlyMap<string, T>): ReadonlySet<T> {
  const edges = items.flatMap((item) =>
    item.after.flatMap((id) => byId.get(id) ?? []).map((other) => ({ item, other })),
  );
  const waitsFor = groupBy(edges, ({ other }) => other);
  const blocked = new Set(items.filter((item) => item.rank === Infinity && item.done !== true));
  for (const item of blocked)
    for (const { item: waiting } of waitsFor.get(item) ?? []) if (waiting.done !== true) blocked.add(waiting);
  return blocked;
}
