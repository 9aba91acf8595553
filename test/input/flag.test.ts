/** Every flag of a command has its place in the help, and a short text. */
import { expect, test } from 'vitest';
import { flagsIn } from '#input/flag.ts';
import { shownFlags } from '#input/command-table.ts';
import { ALL_COMMANDS } from '../commands.ts';

const FLAGS = ALL_COMMANDS.flatMap((command) =>
  flagsIn(command.flags ?? {}).map((flag) => ({ name: `${command.name} ${flag.flag}`, command, ...flag })),
);

test('every flag has a short help', () => {
  expect(FLAGS.filter(({ help }) => !/^\S[^\n]{2,125}$/.test(help)).map(({ name }) => name)).toEqual([]);
});

test('every flag of a command that takes a prompt is under a heading, and no other', () => {
  const wrong = FLAGS.filter(
    ({ command, under }) => (under !== undefined) !== (command.takesPrompt === true),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test('a flag that a command only refuses is not shown', () => {
  const run = ALL_COMMANDS.find(({ name }) => name === 'run');
  expect(run && flagsIn(run.flags ?? {}).some(({ flag }) => flag === '--nest')).toBe(true);
  expect(run && shownFlags(run).some(({ flag }) => flag === '--nest')).toBe(false);
});
