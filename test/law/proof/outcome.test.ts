import { describe, expect, it } from 'vitest';
import {
  hasPassed,
  isMeasured,
  outputTailOf,
  measuredValueOf,
  type ProofOutcome,
} from '#law/proof/outcome.ts';
import type { CheckOutcome } from '#law/record/verdict.ts';
import { sayProof } from '#law/words/check-outcomes.ts';

function ran(outcome: CheckOutcome, as: 'check' | 'measure' = 'check'): ProofOutcome {
  return { is: 'ran', as, outcome };
}

const cases: readonly (readonly [string, ProofOutcome, boolean | null, string])[] = [
  ['a check that passed', ran({ is: 'passed' }), true, 'passed'],
  ['a check that failed', ran({ is: 'failed', exit: 2, tail: 'red' }), false, 'failed with exit code 2'],
  ['"not yet"', ran({ is: 'not-yet', tail: '' }), null, 'says "not yet" (exit code 75)'],
  ['a number', ran({ is: 'passed' }, 'measure'), null, 'measured'],
  ['no number', ran({ is: 'failed', exit: 1, tail: '' }, 'measure'), false, 'failed with exit code 1'],
  ['a measure too early', ran({ is: 'not-yet', tail: '' }, 'measure'), null, 'says "not yet" (exit code 75)'],
  ['hooks that agree', { is: 'judged', holds: true, says: 'fine' }, true, 'holds'],
  ['hooks that object', { is: 'judged', holds: false, says: 'no docs' }, false, 'no docs'],
  // Words of a stop hook are not mistaken for an outcome.
  ['hooks that say a word of ours', { is: 'judged', holds: false, says: 'passed' }, false, 'passed'],
  ['what was broken off', { is: 'broken-off' }, false, 'broken off'],
];

describe.each(cases)('%s', (_, proof, passed, words) => {
  it('has passed or not, and is put into words', () => {
    expect(hasPassed(proof)).toBe(passed);
    expect(sayProof(proof)).toBe(words);
  });
});

it('only a number that was printed is measured', () => {
  expect(cases.filter(([, proof]) => isMeasured(proof)).map(([name]) => name)).toEqual(['a number']);
});

it('only a command has output', () => {
  expect(cases.map(([, proof]) => outputTailOf(proof)).filter(Boolean)).toEqual(['red']);
});

it('only a measure that printed one has a number', () => {
  expect(measuredValueOf({ is: 'ran', as: 'measure', outcome: { is: 'passed' }, value: 0 })).toBe(0);
  expect(measuredValueOf(ran({ is: 'passed' }))).toBeNull();
  expect(measuredValueOf({ is: 'broken-off' })).toBeNull();
});
