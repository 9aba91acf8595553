/** The groups of loops on the page: what "Working" counts is at work, as in `dacapo watch`. */
import { expect, it } from 'vitest';
import { groups, putCards } from '../../src/ui/page/data/state.ts';
import { ASKS, card, DONE } from '../screen/watch/given.ts';

it('has a loop that nobody works on among those at rest', () => {
  putCards(
    [
      card('at-work'),
      card('asks', ASKS),
      card('done', DONE),
      card('ready', { status: 'pending', tone: 'waiting', isWorking: false }),
      card('paused', { status: 'paused', tone: 'resting', isWorking: false }),
    ],
    [],
  );
  const ids = groups.value.map(({ name, cards }) => [name, cards.map(({ id }) => id).toSorted()]);
  expect(Object.fromEntries(ids)).toEqual({
    'Needs you': ['asks'],
    Working: ['at-work'],
    Resting: ['paused', 'ready'],
    Ended: ['done'],
  });
});
