/** The rows of one stop, as every screen lays them out. */
import { expect, it } from 'vitest';
import { rowsOf } from '#telling/story/rows.ts';
import { iteration } from '../../surfaces/screen/watch/given.ts';

it('what a gate says and the verdict lacked stands once', () => {
  const given = iteration(0);
  const says = 'the checks fail with the tests of the start';
  const gateResults = [{ gate: 'ground' as const, holds: false, says }];
  const reasons = [says, 'no promise'];
  const verdict = given.verdict && { ...given.verdict, reasons };
  const rows = rowsOf({ ...given, checks: [], hooks: [], gateResults, verdict });
  expect(rows.map(({ is, words }) => [is, words])).toEqual([
    ['gate', says],
    ['missing', 'no promise'],
  ]);
});
