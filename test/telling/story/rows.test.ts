/** The rows of one stop, as every screen lays them out. */
import { expect, it } from 'vitest';
import { rowsOf } from '#telling/story/rows.ts';
import { iteration } from '../../surfaces/screen/watch/given.ts';

it('what a gate says and the verdict lacked stands once', () => {
  const given = iteration(0);
  const says = 'the checks fail with the tests of the start';
  const gateResults = [{ gate: 'ground' as const, holds: false, says }];
  const reasons = [
    { gate: 'ground' as const, words: says },
    { gate: 'promise' as const, words: 'no promise' },
  ];
  const verdict = given.verdict && { ...given.verdict, reasons };
  const rows = rowsOf({ ...given, checks: [], hooks: [], gateResults, verdict });
  expect(rows.map(({ is, words }) => [is, words])).toEqual([
    ['gate', says],
    ['missing', 'no promise'],
  ]);
});

it('a check that is missing has a row of its own, and no second one, whatever others say', () => {
  const given = iteration(0);
  const failed = { is: 'failed', holds: false, says: 'failed', ms: 1, tail: '', evidence: null } as const;
  const checks = [{ name: null, command: 'npm test', ...failed }];
  const reasons = [
    { gate: 'check' as const, words: 'check `npm test` failed' },
    { gate: 'features' as const, words: 'check every item of the list' },
  ];
  const verdict = given.verdict && { ...given.verdict, reasons };
  const words = (shown: typeof checks) =>
    rowsOf({ ...given, checks: shown, hooks: [], gateResults: [], verdict }).flatMap((row) =>
      row.is === 'missing' ? row.words : [],
    );
  expect(words(checks)).toEqual(['check every item of the list']);
  expect(words([])).toEqual(['check `npm test` failed', 'check every item of the list']);
});
