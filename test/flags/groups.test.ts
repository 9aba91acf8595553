/** Every flag has its place in the help. */
import { expect, test } from 'vitest';
import { PROMPT_FLAGS } from '../../src/cli/begin/prompt-source.ts';
import { READY_FLAGS } from '../../src/cli/begin/ready-line.ts';
import { LOOP_FLAG, RUN_FLAGS } from '../../src/cli/begin/run-line.ts';
import { FLAG_GROUPS, inGroups } from '../../src/flags/groups.ts';
import { PLAN_FLAGS } from '../../src/flags/plan-table.ts';
import { FLAGS } from '../../src/flags/table.ts';

const ALL = [...PROMPT_FLAGS, LOOP_FLAG, ...FLAGS, ...PLAN_FLAGS, ...RUN_FLAGS, ...READY_FLAGS];

test('every flag is in one group, and in one only', () => {
  const grouped = FLAG_GROUPS.flatMap(({ flags }) => flags);
  expect(new Set(grouped).size).toBe(grouped.length);
  expect(ALL.map(({ flag }) => flag).filter((flag) => !grouped.includes(flag))).toEqual([]);
});

test('a flag without a group is shown last, and a group without a flag not at all', () => {
  const flags = [{ flag: '--new' }, { flag: '--check' }];
  expect(inGroups(flags)).toEqual([
    { heading: 'When it is done:', flags: [{ flag: '--check' }] },
    { heading: 'Other:', flags: [{ flag: '--new' }] },
  ]);
});
