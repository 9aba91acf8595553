/** A program that asks for JSON gets an error as JSON, too. */
import { expect, test } from 'vitest';
import { makeBox } from '../box.ts';

test.each([
  ['a refusal', ['status', 'nope', '--json'], 1, 'there is no loop "nope".', [{ verb: 'list-all' }]],
  ['a wrong flag', ['list', '--json', '--bogus'], 2, '--bogus is not a flag of this command.', undefined],
  ['a wrong command', ['nope', '--json'], 2, 'there is no command "nope".', undefined],
  ["a run that can't begin", ['run', '--json', '--max-iterations', 'many', 'Fix it'], 2, 'many', undefined],
])('%s: one line on stdout, and the words on stderr', (_, args, exit, says, commands) => {
  const ran = makeBox().run(args);
  expect(ran.code).toBe(exit);
  expect(ran.stdout.trimEnd()).not.toContain('\n');
  const { error, next, ...rest } = JSON.parse(ran.stdout) as Record<string, unknown>;
  expect(error).toContain(says);
  expect(rest).toEqual({ exit, commands });
  expect(ran.stderr).toContain(`error: ${String(error)}`);
  expect(ran.stderr).toContain(`next: ${String(next)}`);
});

test('a wrong value is told what is right, also of a flag that is called like a command', () => {
  const ran = makeBox().run(['fleet', 'list', '--status', 'done', '--json']);
  const { next } = JSON.parse(ran.stdout) as { readonly next: string };
  expect(next).toMatch(/^write one of pending, .*aborted\.$/);
});

test('without --json, and with one behind --, nothing is on stdout', () => {
  const box = makeBox();
  for (const args of [
    ['status', 'nope'],
    ['run', '--bogus', 'Fix it', '--', '--json'],
  ])
    expect(box.run(args).stdout).toBe('');
});
