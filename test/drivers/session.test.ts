import { describe, expect, it } from 'vitest';
import { chooseSession, whoGoesOn } from '../../src/drivers/session.ts';

const after = (iterations: number, passing = 0) => ({ session: 's1', iterations, passing });
const SAME = { is: 'same', session: 's1', compact: false };

describe('a new session', () => {
  it('for each iteration, which is the default', () => {
    const context = { is: 'new', every: 1, of: 'iterations' } as const;
    expect(chooseSession(context, null, 0)).toEqual({ is: 'new' });
    expect(chooseSession(context, after(1), 0)).toEqual({ is: 'new' });
  });

  it('after so many iterations', () => {
    const context = { is: 'new', every: 3, of: 'iterations' } as const;
    expect([1, 2, 3].map((n) => chooseSession(context, after(n), 0).is)).toEqual(['same', 'same', 'new']);
  });

  it('after so many features, however many iterations they took', () => {
    const context = { is: 'new', every: 2, of: 'features' } as const;
    expect(chooseSession(context, after(9, 4), 5)).toEqual(SAME);
    expect(chooseSession(context, after(1, 4), 6)).toEqual({ is: 'new' });
  });
});

describe('one session', () => {
  it('is carried on', () => {
    const context = { is: 'same', compactEvery: null } as const;
    expect(chooseSession(context, null, 0)).toEqual({ is: 'new' });
    expect(chooseSession(context, after(99), 0)).toEqual(SAME);
  });

  it('is made smaller after so many iterations', () => {
    const context = { is: 'same', compactEvery: 2 } as const;
    const compacts = [1, 2, 3, 4].map((n) => chooseSession(context, after(n), 0));
    expect(compacts.map((choice) => choice.is === 'same' && choice.compact)).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

it('tells the agent of a pass who goes on after it', () => {
  expect(whoGoesOn({ is: 'new', every: 1, of: 'iterations' })).toBe(
    'a new agent, which sees only the files,',
  );
  expect(whoGoesOn({ is: 'new', every: 2, of: 'iterations' })).toMatch(/^you, or a new agent/);
  expect(whoGoesOn({ is: 'new', every: 1, of: 'features' })).toMatch(/^you, or a new agent/);
  expect(whoGoesOn({ is: 'same', compactEvery: null })).toBe('you');
});
