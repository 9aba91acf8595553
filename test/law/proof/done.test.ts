/** By what a loop is done, and when that is called proven. */
import { describe, expect, it } from 'vitest';
import { type Loop } from '#law/loop.ts';
import { doneOf, type Done } from '#law/proof/done.ts';
import type { Definition, Gate } from '#law/record/definition.ts';
import type { GateResult } from '#law/record/verdict.ts';
import {
  after,
  check,
  checkBegun,
  claim,
  features,
  HOUR,
  MINUTE,
  MOVE,
  PROMISE,
  proof,
  running,
  verdict,
} from '../given.ts';

const GROUND = { named: [], digest: 'd', tests: 1, configs: [] } as const;
const REVIEW = { kind: 'review', host: 'codex', model: null, most: 3 } as const satisfies Gate;
const HOOKS: Gate = { kind: 'hooks', names: ['h'], timeoutMs: 1, allMs: 1, mark: null };
const MEASURES: Gate = { kind: 'measures', begun: 'failed' };
const SIGNAL: Gate = { kind: 'signal' };
const PASSED = [proof('npm test', { is: 'passed' })];

interface Seen {
  readonly proofs?: typeof PASSED;
  readonly gateResults?: readonly GateResult[];
}

function completed(definition: Partial<Definition>, { proofs = PASSED, gateResults = [] }: Seen = {}): Loop {
  const complete = verdict(1, { verdict: { is: 'complete' }, proofs, gateResults });
  return running(definition, claim(1), complete);
}

function result(gate: GateResult['gate'], over: Partial<GateResult> = {}): GateResult {
  return { gate, holds: true, says: '', trouble: null, ...over };
}

const onGround = (ground: NonNullable<GateResult['ground']>): Seen => ({
  gateResults: [result('features'), result('ground', { ground })],
});

/** Completed after a person was asked, and said this. */
function answered(
  definition: Partial<Definition>,
  kind: 'completion' | 'acceptance' | 'question',
  answer: 'approved' | 'rejected',
  seen: Seen = {},
): Loop {
  const at = after(MINUTE);
  const what = { tool: null, digest: null, text: 'Is it done?' };
  const loop = completed(definition, seen);
  const request = {
    id: '1',
    kind,
    what,
    why: '',
    at,
    expires: after(HOUR),
    answer: { is: answer, note: '', by: 'terminal', at, pass: 1 },
    released: null,
    told: false,
  } as const;
  return { ...loop, people: { ...loop.people, requests: [request] } };
}

const CHECKED = { gates: [check('npm test')], ground: GROUND };

it('a loop that is not completed is done by nothing', () => {
  expect(doneOf(running(CHECKED))).toBeNull();
});

describe('what it is done by', () => {
  const by = (gates: readonly Gate[], seen: Seen = {}, over: Partial<Definition> = {}) =>
    doneOf(completed({ gates, ground: GROUND, ...over }, seen))?.by;

  it.each<[string, readonly Gate[], Done['by']]>([
    ['a check that was red', [check('npm test')], ['check']],
    ['a check that passed all along', [checkBegun('npm test', 'passed')], ['said']],
    ['a promise', [PROMISE], ['said']],
    ['a signal', [SIGNAL], ['said']],
    ['a promise and a check', [PROMISE, check('npm test')], ['said', 'check']],
    ['stop hooks', [HOOKS], ['check']],
    ['measures', [MEASURES], ['measure']],
    ['measures that were there all along', [{ kind: 'measures', begun: 'passed' }], ['said']],
    ['a file that moved', [MOVE], ['moved']],
    ['a list', [features()], ['list']],
    ['a review of what was red', [check('npm test'), REVIEW], ['check', 'review']],
    ['two checks', [check('npm test'), check('npm run lint')], ['check']],
  ])('%s', (_what, gates, expected) => expect(by(gates)).toEqual(expected));

  it('new tests that fail without the work are as good as a check that was red', () => {
    const gates = [checkBegun('npm test', 'passed')];
    expect(by(gates, onGround({ is: 'old', files: [], without: 'red' }))).toEqual(['check', 'said']);
    expect(by(gates, onGround({ is: 'old', files: [], without: 'green' }))).toEqual(['said']);
    const measures: Gate[] = [{ kind: 'measures', begun: 'passed' }];
    expect(by(measures, onGround({ is: 'old', files: [], without: 'red' }))).toEqual(['said']);
  });

  it('a list of items is said to be done, beside what is shown', () => {
    const items = { from: { is: 'file', file: 'todo.md' }, most: 3 } as const;
    expect(by([MEASURES], {}, { items })).toEqual(['measure', 'said']);
  });

  it('where any gate is enough, only what holds counts', () => {
    const gates = [PROMISE, check('npm test'), MEASURES, check('npm run lint')];
    const any = (seen: Seen) => by(gates, seen, { require: 'any' });
    expect(any({})).toEqual(['check']);
    expect(any({ proofs: [], gateResults: [result('measures')] })).toEqual(['measure']);
    expect(any({ proofs: [], gateResults: [result('measures', { holds: false })] })).toEqual(['said']);
    expect(any({ proofs: [proof('npm test', { is: 'failed', exit: 1, tail: '' })] })).toEqual(['said']);
    expect(any({ proofs: [proof('npm run other', { is: 'passed' })] })).toEqual(['said']);
    expect(any({ gateResults: [result('measures')] })).toEqual(['check', 'measure']);
    const unseen = { ...completed({ gates, require: 'any' }), last: null };
    expect(doneOf(unseen)?.by).toEqual(['said']);
  });
});

describe('proven', () => {
  const proven = (loop: Loop) => doneOf(loop)?.proven;

  it('by a check on ground that has not changed', () => {
    expect(doneOf(completed(CHECKED))).toEqual({
      by: ['check'],
      ground: 'unchanged',
      files: [],
      dependencies: [],
      hasVacuousTests: false,
      proven: true,
    });
  });

  it('by a check with the ground of the start', () => {
    const ground = { is: 'old', files: ['a.test.js'], without: 'green' } as const;
    expect(doneOf(completed(CHECKED, onGround(ground)))).toEqual({
      by: ['check'],
      ground: 'old',
      files: ['a.test.js'],
      dependencies: [],
      hasVacuousTests: true,
      proven: true,
    });
  });

  it('not on changed ground, which is told', () => {
    const ground = { is: 'changed', files: ['a', 'b'], dependencies: ['b'] } as const;
    expect(doneOf(completed(CHECKED, onGround(ground)))).toMatchObject({
      ground: 'changed',
      files: ['a', 'b'],
      dependencies: ['b'],
      proven: false,
    });
  });

  it('not by a check whose ground nobody knows; a measure, a move and a review stand without', () => {
    const unknown = { gates: CHECKED.gates, ground: { ...GROUND, digest: null } };
    expect(doneOf(completed(unknown))).toMatchObject({ by: ['check'], ground: null, proven: false });
    expect(doneOf(completed({ gates: CHECKED.gates }))).toMatchObject({ ground: null, proven: false });
    for (const gate of [MEASURES, MOVE, REVIEW]) expect(proven(completed({ gates: [gate] }))).toBe(true);
  });

  it('not by a word, a list or a person alone', () => {
    expect(proven(completed({ gates: [PROMISE] }))).toBe(false);
    expect(proven(completed({ gates: [features()] }))).toBe(false);
    expect(proven(answered({ gates: [PROMISE] }, 'completion', 'approved'))).toBe(false);
  });

  it('not where a person answered a doubt', () => {
    const doubt = { gateResults: [result('review'), result('review', { doubt: true })] };
    expect(proven(completed(CHECKED, doubt))).toBe(false);
    expect(proven(completed(CHECKED, { gateResults: [result('review', { doubt: false })] }))).toBe(true);
    expect(proven({ ...completed({ gates: [MEASURES] }), last: null })).toBe(true);
  });

  it('a person who confirms adds to what was seen; one who accepts stands alone', () => {
    const done = (...given: ['completion' | 'acceptance' | 'question', 'approved' | 'rejected']) =>
      doneOf(answered(CHECKED, ...given));
    expect(done('completion', 'approved')).toMatchObject({ by: ['check', 'accepted'], proven: true });
    expect(done('acceptance', 'approved')).toMatchObject({ by: ['accepted'], proven: false });
    expect(done('acceptance', 'rejected')).toMatchObject({ by: ['check'], proven: true });
    expect(done('question', 'approved')).toMatchObject({ by: ['check'], proven: true });
  });
});
