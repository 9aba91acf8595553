/** What the page knows: the loops, kept up to date by the stream, and the connection to the server. */
import { batch, computed, signal } from '@preact/signals';
import type { LoopCard, Overview } from '../../wire.ts';

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

/** In the order of what a person wants to see first. The server sorts inside of a group. */
export const groups = computed(() => {
  const wanted = filter.value.trim().toLowerCase();
  const all = [...cards.value.values()].filter((card) => matches(card, wanted)).toSorted(byNews);
  return [
    { name: 'Needs you', cards: all.filter(needsYou) },
    { name: 'Working', cards: all.filter(isAtWork) },
    { name: 'Resting', cards: all.filter(isAtRest) },
    { name: 'Ended', cards: all.filter((card) => !needsYou(card) && card.hasEnded) },
  ].filter((group) => group.cards.length > 0);
});

export function needsYou(card: LoopCard): boolean {
  return card.requests.length > 0 || card.tone === 'needs-you';
}

export function isAtWork(card: LoopCard): boolean {
  return !needsYou(card) && card.tone === 'working';
}

/** Nobody works on it now: it is paused, interrupted, waits for a limit, or for its prompt. */
export function isAtRest(card: LoopCard): boolean {
  return !needsYou(card) && !card.hasEnded && !isAtWork(card);
}

function byNews(a: LoopCard, b: LoopCard): number {
  return a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0;
}

function matches({ task, id, project, status }: LoopCard, wanted: string): boolean {
  return wanted === '' || `${task}\n${id}\n${project}\n${status}`.toLowerCase().includes(wanted);
}

/** The working time of a card as of now: the server's figure, and what has passed since it came. */
const cameAt = new WeakMap<LoopCard, number>();
export function workedNow(card: LoopCard): number {
  if (!card.isWorking) return card.workedMs;
  const came = cameAt.get(card) ?? now.value;
  cameAt.set(card, came);
  return card.workedMs + Math.max(0, now.value - came);
}
