/** The answer to a judged stop is a pure function of the loop before and after it. */
import { describe, expect, it } from 'vitest';
import { commandNamesIn } from '#hosts/claude-code/names.ts';
import { wordsFor } from '#engine/hearing/answer.ts';
import { GO_ON, claim, running, verdict } from '../../law/given.ts';

const COMMANDS = commandNamesIn({});
const before = running({}, claim(1));
const after = running({}, claim(1), verdict(1));
const said = {
  before,
  after,
  task: { prompt: 'Build it.', file: null },
  crowded: null,
  note: null,
  news: '',
};

describe('a loop that goes on', () => {
  it('gives the agent its task again, and the person one line', () => {
    const answer = wordsFor(GO_ON, said, COMMANDS);
    expect(answer).toMatchObject({ is: 'continue' });
    expect(answer.is === 'continue' && answer.toAgent).toContain('Build it.');
    expect(answer.is === 'continue' && answer.toPerson).not.toContain('\n');
  });

  it('tells both of a context that is nearly full, and the person how usage was counted', () => {
    const crowded = { tokens: 170_000, window: 200_000 };
    const answer = wordsFor(GO_ON, { ...said, crowded, note: 'Estimated.' }, COMMANDS);
    expect(answer.is === 'continue' && answer.toAgent).toContain('Your context is at 85 %');
    expect(answer.is === 'continue' && answer.toPerson).toMatch(/\nEstimated\. The context is at 85 %/);
  });
});

it('a stop that is let through is explained to the person alone', () => {
  const held = { is: 'allow', why: 'background', shells: [], until: null } as const;
  expect(wordsFor(held, said, COMMANDS)).toMatchObject({ is: 'tell' });
});

it('an ending is told when it is settled, not here', () => {
  expect(wordsFor({ is: 'complete' }, said, COMMANDS)).toEqual({ is: 'silence' });
});
