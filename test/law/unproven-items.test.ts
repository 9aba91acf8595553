/** Items that were marked as passing while a check fails: repairing them comes first. */
import { expect, it } from 'vitest';
import { unprovenItems } from '#law/gates.ts';
import type { Loop } from '#law/loop.ts';
import type { CheckProof } from '#law/record/verdict.ts';
import { UNREADABLE, check, claim, features, list, proof, running, verdict } from './given.ts';

const PASSED = proof('npm test', { is: 'passed' });
const FAILED = proof('npm test', { is: 'failed', exit: 1, tail: '' });
const LINTED = proof('npm run lint', { is: 'passed' });

/** A list that begins with one passing item, and what each stop showed. */
function after(...stops: readonly { passing: number; proofs: readonly CheckProof[] }[]): Loop {
  const events = stops.flatMap(({ passing, proofs }, k) => [
    claim(k + 1),
    verdict(k + 1, { features: list(passing), proofs: [...proofs] }),
  ]);
  return running({ gates: [check('npm test'), features(list(1))] }, ...events);
}

it('counts what was marked since the checks last passed', () => {
  expect(unprovenItems(after({ passing: 3, proofs: [FAILED] }))).toBe(2);
  const later = after({ passing: 2, proofs: [PASSED] }, { passing: 3, proofs: [LINTED, FAILED] });
  expect(unprovenItems(later)).toBe(1);
});

it('counts nothing while the checks pass, were not run, or fewer items pass than before', () => {
  expect(unprovenItems(after())).toBe(0);
  expect(unprovenItems(after({ passing: 3, proofs: [] }))).toBe(0);
  expect(unprovenItems(after({ passing: 3, proofs: [PASSED, LINTED] }))).toBe(0);
  expect(unprovenItems(after({ passing: 0, proofs: [FAILED] }))).toBe(0);
});

it('counts nothing where there is no list, or none that can be read', () => {
  const failing = [claim(1), verdict(1, { proofs: [FAILED] })];
  expect(unprovenItems(running({ gates: [check('npm test')] }, ...failing))).toBe(0);
  expect(unprovenItems(running({ gates: [check('npm test'), features(UNREADABLE)] }, ...failing))).toBe(0);
});

it('a check that says "not yet" does not fail', () => {
  const early = proof('npm test', { is: 'not-yet', tail: '' });
  expect(unprovenItems(after({ passing: 3, proofs: [early] }))).toBe(0);
});
