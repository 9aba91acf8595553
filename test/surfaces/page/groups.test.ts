/** The groups of loops on the page: what "Working" counts is at work, in the order of `dacapo watch`. */
import { afterEach, expect, it } from 'vitest';
import { cards, filter, groups, putCards, showsAll } from '#surfaces/page/browser/data/state.ts';
import { ASKS, card, DONE } from '../screen/watch/given.ts';
import { beginWatch, withCards } from '#surfaces/screen/watch/state.ts';

afterEach(() => {
  cards.value = new Map();
});

const ALL = [
  card('done', DONE),
  card('ready', { status: 'pending', tone: 'waiting', group: 'resting', isWorking: false }),
  card('at-work'),
  card('stuck', { ...DONE, status: 'stuck', tone: 'needs-you', group: 'needs-you' }),
  card('asks', ASKS),
  card('paused', { status: 'paused', tone: 'resting', group: 'resting', isWorking: false }),
];

it('has a loop that nobody works on among those at rest', () => {
  putCards(ALL, []);
  const ids = groups.value.map((group) => [group.name, group.cards.map(({ id }) => id).toSorted()]);
  expect(Object.fromEntries(ids)).toEqual({
    'Needs you': ['asks', 'stuck'],
    Working: ['at-work'],
    Resting: ['paused', 'ready'],
    Ended: ['done'],
  });
});

it('has the loops in the same order as dacapo watch', () => {
  putCards(ALL, []);
  const onPage = groups.value.flatMap((group) => group.cards);
  expect(onPage.map(({ id }) => id)).toEqual(withCards(beginWatch(null), ALL, 0).cards?.map(({ id }) => id));
});

it('shows the newest hundred of the loops that have ended, until all are asked for', () => {
  const ended = Array.from({ length: 150 }, (_, k) =>
    card(`ended-${k}`, { ...DONE, updatedAt: new Date(k * 60_000).toISOString() }),
  );
  putCards([...ALL, ...ended], []);
  const shown = () => groups.value.find(({ name }) => name === 'Ended');
  expect(shown()).toMatchObject({ total: 151 });
  expect(shown()?.cards.map(({ id }) => id)).toEqual([
    'done',
    ...Array.from({ length: 99 }, (_, k) => `ended-${149 - k}`),
  ]);
  expect(groups.value.flatMap((group) => group.cards)).toHaveLength(105);
  filter.value = 'ended-3';
  expect(shown()?.cards).toHaveLength(11);
  filter.value = '';
  showsAll.value = true;
  expect(shown()?.cards).toHaveLength(151);
  showsAll.value = false;
});
