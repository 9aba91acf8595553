/** Every flag has its place in the help. */
import { expect, test } from 'vitest';
import { LINE_FLAGS } from '#surfaces/cli/begin/prompt-line.ts';
import { SUBMIT_FLAGS } from '#surfaces/cli/fleet/submit-line.ts';
import { FLAG_HELP } from '#input/help.ts';
import { PLAN_FLAGS, RUN_FLAGS } from '#input/run-table.ts';
import { FLAGS } from '#input/table.ts';

const TABLES = [LINE_FLAGS, FLAGS, PLAN_FLAGS, RUN_FLAGS, SUBMIT_FLAGS];
/** `--loops` is of two commands. */
const ALL = [...new Set(TABLES.flatMap((table) => table.map(({ flag }): string => flag)))];

test('every flag is under one heading, and in one only', () => {
  expect(Object.values(FLAG_HELP).flatMap(Object.keys).sort()).toEqual(ALL.toSorted());
});

test('every flag has a short help', () => {
  for (const help of Object.values(FLAG_HELP).flatMap(Object.values))
    expect(help).toMatch(/^\S[^\n]{5,120}$/);
});
