import { describe, expect, it } from 'vitest';
import { chooseSession, isSessionLost, sessionAfter, whoGoesOn } from '#engine/driver/pass/session-choice.ts';

const after = (iterations: number, passing = 0, compactedAt = 0) => ({
  session: 's1',
  iterations,
  passing,
  compactedAt,
});

describe('a new session', () => {
  it('for each iteration, which is the default', () => {
    const context = { is: 'new', every: 1, of: 'iterations' } as const;
    expect(chooseSession(context, null, 0)).toBe('new');
    expect(chooseSession(context, after(1), 0)).toBe('new');
  });

  it('after so many iterations', () => {
    const context = { is: 'new', every: 3, of: 'iterations' } as const;
    expect([1, 2, 3].map((n) => chooseSession(context, after(n), 0))).toEqual(['same', 'same', 'new']);
  });

  it('for another try, where the first one had a new one and came to nothing', () => {
    const context = { is: 'new', every: 3, of: 'iterations' } as const;
    expect(chooseSession(context, after(0), 0)).toBe('new');
    expect(chooseSession({ ...context, of: 'features' }, after(0), 0)).toBe('new');
  });

  it('after so many features, however many iterations they took', () => {
    const context = { is: 'new', every: 2, of: 'features' } as const;
    expect(chooseSession(context, after(9, 4), 5)).toBe('same');
    expect(chooseSession(context, after(1, 4), 6)).toBe('new');
  });
});

describe('one session', () => {
  it('is carried on', () => {
    const context = { is: 'same', compactEvery: null } as const;
    expect(chooseSession(context, null, 0)).toBe('new');
    expect(chooseSession(context, after(99), 0)).toBe('same');
  });

  it('is made smaller after so many iterations', () => {
    const context = { is: 'same', compactEvery: 2 } as const;
    const choices = [1, 2, 3, 4].map((n) => chooseSession(context, after(n), 0));
    expect(choices).toEqual(['same', 'compact', 'same', 'compact']);
  });
});

it('is made smaller once, however often the pass after that is tried, and not before its first iteration', () => {
  const context = { is: 'same', compactEvery: 2 } as const;
  expect(chooseSession(context, after(2, 0, 2), 0)).toBe('same');
  expect(chooseSession(context, after(0), 0)).toBe('same');
  expect(chooseSession(context, after(4, 0, 2), 0)).toBe('compact');
});

describe('after a pass a session', () => {
  const judged = { isJudged: true, hasBegun: true, isCompacted: false };
  const came = { isJudged: false, hasBegun: true, isCompacted: false };

  it('has one iteration more if the pass was judged: a fault is none', () => {
    expect(sessionAfter(after(1), after(1), judged)).toEqual(after(2));
    expect(sessionAfter(after(1), after(1), came)).toEqual(after(1));
  });

  it('is the one before, if the host was gone before it had made the new one', () => {
    const gone = { ...came, hasBegun: false };
    expect(sessionAfter(null, after(0), gone)).toBeNull();
    expect(sessionAfter({ ...after(3), session: 's0' }, after(0), gone)).toMatchObject({ session: 's0' });
    expect(sessionAfter(after(3), after(3), gone)).toEqual(after(3));
  });

  it('is known to be small, also if the pass itself then came to nothing', () => {
    expect(sessionAfter(after(2), after(2), { ...came, isCompacted: true })).toEqual(after(2, 0, 2));
  });
});

it('is lost where the host or the service refuses to go on in it, and not where they are busy', () => {
  const carried = { resume: 's1' };
  const refused = { is: 'fatal', kind: 'config', why: 'No conversation found' } as const;
  expect(isSessionLost(refused, carried)).toBe(true);
  expect(isSessionLost(refused, { resume: null })).toBe(false);
  expect(isSessionLost({ is: 'fatal', kind: 'auth', why: '' }, carried)).toBe(false);
  expect(isSessionLost({ is: 'transient', why: 'too long', status: 400 }, carried)).toBe(true);
  expect(isSessionLost({ is: 'transient', why: 'busy', status: 529 }, carried)).toBe(false);
});

it('tells the agent of a pass who goes on after it', () => {
  expect(whoGoesOn({ is: 'new', every: 1, of: 'iterations' })).toBe(
    'a new agent, which sees only the files,',
  );
  expect(whoGoesOn({ is: 'new', every: 2, of: 'iterations' })).toMatch(/^you, or a new agent/);
  expect(whoGoesOn({ is: 'new', every: 1, of: 'features' })).toMatch(/^you, or a new agent/);
  expect(whoGoesOn({ is: 'same', compactEvery: null })).toBe('you');
});
