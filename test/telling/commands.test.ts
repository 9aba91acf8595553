/** Advice about a loop of a fleet: no command in it is one of a single machine. */
import { expect, it } from 'vitest';
import { fleetWords } from '#telling/commands.ts';

it.each([
  [
    'dacapo approve ask-1 or dacapo reject ask-1',
    'dacapo fleet answer ask-1 --approve or dacapo fleet answer ask-1 --reject',
  ],
  ['dacapo run --loop L runs it', 'dacapo fleet resume L runs it'],
  [
    'Start a new one: dacapo run "PROMPT"',
    'Start a new one: dacapo fleet submit "PROMPT" --repo URL --ref REF',
  ],
  ['a new dacapo run with a larger --max-items', 'a new dacapo fleet submit with a larger --max-items'],
  [
    'name another model: dacapo run --loop L --model MODEL, or /model in the session, then dacapo resume L continues it',
    'name another model: a new dacapo fleet submit takes --model, then dacapo fleet resume L continues it',
  ],
  ['dacapo explain L shows the proof', 'dacapo fleet logs L shows the proof'],
])('%s', (said, told) => {
  expect(fleetWords(said)).toBe(told);
});
