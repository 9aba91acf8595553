/** The working order of the items of a JSON list: by priority, and never before an item's dependencies. */
import { text } from '../core/shape.ts';

const PRIORITIES: readonly string[] = ['critical', 'highest', 'high', 'medium', 'low', 'lowest'];

/** Sorts after every number that people give. */
const NO_PRIORITY = Number.MAX_VALUE;

/** 1 comes before 2 and high before low, then items without a priority. Blocked or postponed items come last. */
export function rankOf(priority: unknown, isHeld: boolean): number {
  if (isHeld) return Infinity;
  if (typeof priority === 'number') return priority;
  if (!text(priority)) return NO_PRIORITY;
  const number = /^\s*p?(\d{1,9})\s*$/i.exec(priority)?.[1];
  if (number !== undefined) return Number(number);
  const rank = PRIORITIES.indexOf(priority.trim().toLowerCase());
  return rank < 0 ? NO_PRIORITY : rank;
}

const AFTER = ['dependsOn', 'depends_on', 'dependencies', 'blockedBy', 'blocked_by'];

/** The ids of the items that have to be done first. */
export function dependenciesOf(item: Readonly<Record<string, unknown>>): string[] {
  const ids = AFTER.flatMap((key): unknown => item[key]).flat();
  return ids.filter((id) => text(id) || typeof id === 'number').map(String);
}

interface Ranked {
  readonly id: string;
  readonly rank: number;
  readonly after: readonly string[];
}

/** A cycle of dependencies is cut where it is found, and its items are still worked off. */
export function inWorkOrder<T extends Ranked>(items: readonly T[]): T[] {
  // Two infinite ranks differ by NaN. `|| 0` then keeps the order.
  const ranked = items.toSorted((a, b) => a.rank - b.rank || 0);
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
