import { describe, expect, it } from 'vitest';
import type { FrameRecord } from '#law/record/definition.ts';
import type { Escalation, Missing } from '#law/record/verdict.ts';
import { gatesOf, hasChoice } from '#law/gates.ts';
import { hasEnded, isPlain, type Status } from '#law/loop.ts';
import {
  duration,
  sayEscalation,
  sayHooks,
  sayMissing,
  sayMissingToAgent,
  sayNames,
  sayNotBefore,
  sayOpen,
  sayProtect,
  sayReviews,
  sayUnmatched,
} from '#law/words/phrases.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
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

  it.each(['features', 'moved', 'hooks', 'protected', 'passes', 'signal', 'news'] as const)(
    'what the gate %s lacks, in its own words',
    (gate) => expect(sayMissing({ gate, says: 'not yet' } satisfies Missing)).toBe('not yet'),
  );

  it.each<[Escalation, string]>([
    [{ is: 'unanswered', words: 'git push\nnow' }, 'nobody answered in time: git push now'],
    [{ is: 'uncounted', why: 'no transcript' }, 'no transcript'],
    [{ is: 'undone', items: 1 }, 'every item had its turn, and 1 of them is not done'],
    [{ is: 'undone', items: 0, gone: 1 }, '1 item left the list without a turn'],
    [
      { is: 'undone', items: 2, gone: 3 },
      'every item had its turn, and 2 of them are not done; 3 items left the list without a turn',
    ],
    [
      { is: 'planted', host: 'codex', files: ['.codex/hooks.json', 'AGENTS.md'] },
      'files that codex runs or obeys by itself have changed since the run began: .codex/hooks.json, AGENTS.md',
    ],
  ])('why a person is needed: %j', (why, words) => expect(sayEscalation(why)).toBe(words));

  it('a check that is held out: its command to the person, not to the agent', () => {
    const missing = { gate: 'check', name: null, command: 'npm test', outcome: 'fails' } as const;
    expect(sayMissingToAgent(missing)).toBe('check `npm test` fails');
    expect(sayMissingToAgent({ ...missing, command: 'held out 1', heldOut: true })).toBe(
      "a check that you can't see fails (held out 1)",
    );
    expect(sayMissingToAgent({ gate: 'moved', says: 'not yet' })).toBe('not yet');
  });

  it.each<[Missing, string]>([
    [{ gate: 'confirmed', says: 'look again', times: 1, of: 2 }, 'the gates hold; confirmed 1 of 2'],
    [
      { gate: 'promise', wanted: 'DONE', seen: 'it was quoted' },
      'the promise <promise>DONE</promise> has not been given in the way that counts',
    ],
    [{ gate: 'moved', says: 'Not yet.' }, 'Not yet'],
    [{ gate: 'moved', says: '.git is not there' }, '.git is not there'],
  ])('what is open, to a person: %j', (missing, words) => expect(sayOpen(missing)).toBe(words));

  it.each([
    [{ atLeast: 0 }, ''],
    [{ atLeast: 1 }, ''],
    [{ atLeast: 2 }, ', not before iteration 2'],
    [{ atLeast: 0, confirm: 2 }, ', confirmed by 2 iterations without a change'],
  ])('what is asked for beside the gates: %j', (frame, words) => expect(sayNotBefore(frame)).toBe(words));

  it('who reviews', () => {
    const review = { kind: 'review', host: 'codex', model: 'o5', most: 1 } as const;
    expect(sayReviews(running({ gates: [review, PROMISE] }).frame)).toEqual(['codex (o5) approves']);
  });

  it('the first few of many stop hooks, and how many more', () => {
    const names = (count: number) => Array.from({ length: count }, (_, k) => `h${k + 1}`);
    expect(sayHooks({ names: names(6) })).toBe('the stop hooks agree (h1, h2, h3, h4, h5, h6)');
    expect(sayHooks({ names: names(8) })).toBe('the stop hooks agree (h1, h2, h3, h4, h5, h6, and 2 more)');
  });

  it('the first few of many files, without what would disturb a terminal', () => {
    expect(sayNames(['a.ts', 'b\u001b[31m.ts'])).toBe('a.ts, b.ts');
    expect(sayNames(['1', '2', '3', '4', '5', '6', '7'])).toBe('1, 2, 3, 4, 5, and 2 more');
  });

  it('what matches no file', () => {
    expect(sayUnmatched(['test/**', 'spec/**'])).toContain('no file matches --protect test/**, spec/**');
  });

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
    expect(gatesOf(running({ gates }).frame)).toEqual(gates);
    expect(gatesOf(running({ gates, mode: 'grind', items }).frame)).toEqual([PROMISE]);
  });

  it('has a choice where any of several gates is enough', () => {
    const gates = [PROMISE, check('npm test')];
    expect(hasChoice(running({ gates, require: 'any' }).frame)).toBe(true);
    expect(hasChoice(running({ gates, require: 'all' }).frame)).toBe(false);
    expect(hasChoice(running({ gates: [PROMISE], require: 'any' }).frame)).toBe(false);
    expect(hasChoice(running({ gates, require: 'any', mode: 'grind', items }).frame)).toBe(false);
  });
});
