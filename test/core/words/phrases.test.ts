import { describe, expect, it } from 'vitest';
import type { FrameRecord } from '../../../src/core/record/definition.ts';
import type { Missing } from '../../../src/core/record/verdict.ts';
import { gatesOf, hasChoice } from '../../../src/core/standing.ts';
import { hasEnded, isPlain, topFrame, type Status } from '../../../src/core/loop.ts';
import { duration, sayMissing, sayOutcome, sayProtect } from '../../../src/core/words/phrases.ts';
import { HOUR, MINUTE, PROMISE, SECOND, after, check, running } from '../given.ts';

describe('said in short', () => {
  it.each([
    [0, '0 s'],
    [1_499, '1 s'],
    [59 * SECOND, '59 s'],
    [59_500, '1 min'],
    [MINUTE, '1 min'],
    [MINUTE + SECOND, '1 min 1 s'],
    [59 * MINUTE + 59 * SECOND, '59 min 59 s'],
    [HOUR, '1 h'],
    [HOUR + 59 * SECOND, '1 h'],
    [HOUR + MINUTE, '1 h 1 min'],
    [25 * HOUR + 30 * MINUTE, '25 h 30 min'],
  ])('%i ms are %s', (ms, words) => expect(duration(ms)).toBe(words));

  it('a check that could not be run, and why', () => {
    expect(sayOutcome({ is: 'unstartable', error: 'no such\nshell', tail: '' })).toBe(
      'could not be run (no such shell)',
    );
  });

  it.each(['features', 'moved', 'hooks', 'protected', 'passes', 'signal'] as const)(
    'what the gate %s lacks, in its own words',
    (gate) => expect(sayMissing({ gate, says: 'not yet' } satisfies Missing)).toBe('not yet'),
  );

  it('what is protected', () => {
    expect(sayProtect(['tests/**', '!tests/tmp/**'])).toBe('tests/**, !tests/tmp/** stay as they are');
  });
});

describe('a loop', () => {
  const by = 'session';
  const statuses: [boolean, Status][] = [
    [false, { is: 'pending' }],
    [false, { is: 'running' }],
    [false, { is: 'waiting', for: 'background' }],
    [false, { is: 'paused', by, why: 'command' }],
    [false, { is: 'interrupted', why: 'gone', detail: '' }],
    [true, { is: 'completed' }],
    [true, { is: 'exhausted', limit: 'time' }],
    [true, { is: 'stuck', limit: 'staleness' }],
    [true, { is: 'escalated', why: { is: 'stuck', words: '' } }],
    [true, { is: 'cancelled', by, prompt: null }],
    [true, { is: 'aborted', why: 'view', detail: '', evidence: null }],
  ];

  it.each(statuses)('has ended: %s, where it is %j', (ended, status) => {
    expect(hasEnded({ ...running(), status })).toBe(ended);
  });

  const items = { from: { is: 'file', file: 'todo.md' }, most: 9 } as const;
  const frame: FrameRecord = {
    mode: 'loop',
    prompt: 'inner',
    gates: [PROMISE],
    require: 'all',
    atLeast: 0,
    iterations: null,
    items: null,
    item: null,
  };

  it('is plain with one frame and no list', () => {
    expect(isPlain(running())).toBe(true);
    expect(isPlain(running({ mode: 'grind', items }))).toBe(false);
    const inner = { type: 'pushed', at: after(0), frame, prompt: null, by } as const;
    expect(isPlain(running({}, inner))).toBe(false);
  });

  it('leaves the checks of a list to its items', () => {
    const gates = [PROMISE, check('npm test')];
    expect(gatesOf(topFrame(running({ gates })))).toEqual(gates);
    expect(gatesOf(topFrame(running({ gates, mode: 'grind', items })))).toEqual([PROMISE]);
  });

  it('has a choice where any of several gates is enough', () => {
    const gates = [PROMISE, check('npm test')];
    expect(hasChoice(topFrame(running({ gates, require: 'any' })))).toBe(true);
    expect(hasChoice(topFrame(running({ gates, require: 'all' })))).toBe(false);
    expect(hasChoice(topFrame(running({ gates: [PROMISE], require: 'any' })))).toBe(false);
    expect(hasChoice(topFrame(running({ gates, require: 'any', mode: 'grind', items })))).toBe(false);
  });
});
