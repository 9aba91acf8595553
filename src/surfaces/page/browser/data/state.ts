/** What the page knows: the loops, kept up to date by the stream, and the connection to the server. */
import { batch, computed, signal } from '@preact/signals';
import type { LoopCard, Overview } from '#surfaces/page/wire.ts';

export const cards = signal<ReadonlyMap<string, LoopCard>>(new Map());
export const overview = signal<Omit<Overview, 'loops'> | null>(null);

/** `off`: the server is gone. `shut`: it does not know us, so a new link is needed. */
export type Connection = 'connecting' | 'live' | 'off' | 'shut';
export const connection = signal<Connection>('connecting');

/** The time, for "12s ago". It moves only while the page is visible. */
export const now = signal(Date.now());

export const filter = signal('');

export function putOverview({ loops, ...rest }: Overview): void {
  batch(() => {
    cards.value = new Map(loops.map((card) => [card.id, card]));
    overview.value = rest;
  });
}

export function putCards(changed: readonly LoopCard[], removed: readonly string[]): void {
  const next = new Map(cards.value);
  for (const card of changed) next.set(card.id, card);
  for (const id of removed) next.delete(id);
  cards.value = next;
}

export const requests = computed(() =>
  [...cards.value.values()]
    .flatMap((card) => card.requests.map((request) => ({ card, request })))
    .toSorted((a, b) => Date.parse(a.request.askedAt) - Date.parse(b.request.askedAt)),
);

/** A thousand rows cost a fifth of each second, for their times alone. */
const MAX_ENDED_SHOWN = 100;
export const showsAll = signal(false);

type CardGroup = LoopCard['group'];

/** As in `dacapo watch`. */
const GROUPS: readonly (readonly [is: CardGroup, name: string])[] = [
  ['needs-you', 'Needs you'],
  ['working', 'Working'],
  ['resting', 'Resting'],
  ['ended', 'Ended'],
];

export const groups = computed(() => {
  const wanted = filter.value.trim().toLowerCase();
  const all = [...cards.value.values()]
    .filter(({ task, id, project, status }) =>
      `${task}\n${id}\n${project}\n${status}`.toLowerCase().includes(wanted),
    )
    .toSorted(byNews);
  return GROUPS.flatMap(([is, name]) => {
    const own = all.filter(({ group }) => group === is);
    const shown = is === 'ended' && !showsAll.value ? own.slice(0, MAX_ENDED_SHOWN) : own;
    return own.length === 0 ? [] : [{ name, cards: shown, total: own.length }];
  });
});

export const needing = computed(() => inGroup('needs-you').length);

/** By their start, so that no card moves while somebody reads it. */
export function inGroup(is: CardGroup): LoopCard[] {
  return [...cards.value.values()]
    .filter(({ group }) => group === is)
    .toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

export function byNews(a: LoopCard, b: LoopCard): number {
  return a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0;
}

/** The working time of a card as of now: the server's figure, and what has passed since it came. */
const cameAt = new WeakMap<LoopCard, number>();
export function workedNow(card: LoopCard): number {
  if (!card.isWorking) return card.workedMs;
  const came = cameAt.get(card) ?? now.value;
  cameAt.set(card, came);
  return card.workedMs + Math.max(0, now.value - came);
}
