/**
 * `--held-out CMD` with the real Claude Code: its model is never told a word of the check or of its output,
 * even if its agent asks `dacapo` in its shell, searches the loop's files and lists processes. A person is
 * told.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLI, UNATTENDED, dacapo } from '../dacapo.ts';
import { makeWorld, type World } from '../world.ts';

const IN_COMMAND = 'canary-of-the-command';
const IN_OUTPUT = 'canary-of-the-output';

/** Each in a call of its own: the guard reads plain lines. */
const LOOKS = [
  ...['status', 'status --json', 'explain', 'logs', 'report'].map((words) => `node ${CLI} ${words}`),
  'grep -r canary- .',
  'ps -eo args',
  // The list of all processes may be longer than what a host shows its model. Not the shell of this line itself.
  "pgrep -af '^dacapo run'",
];

test('the model learns only that a check that it can not see fails', async () => {
  const shell = (command: string) => [{ tool: 'Bash', input: { command, description: 'Work' } }];
  const acts = ['echo wrong > answer.txt', null, ...LOOKS, 'echo right > answer.txt', null];
  const world: World = await makeWorld(({ n }) => {
    const act = acts[n] ?? null;
    return act === null ? 'Done.' : shell(act);
  });
  const { project, env } = world.sandbox;
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
    });
  git('init', '-q');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@b');
  git('commit', '-qm', 'start', '--allow-empty');
  const script = join(project, '..', `${IN_COMMAND}.sh`);
  writeFileSync(script, `echo ${IN_OUTPUT}; grep -q right answer.txt\n`);
  const asked = ['Write the answer', '--held-out', `sh ${script}`, '--max-iterations', '3', '--pause', '0'];
  const ended = await dacapo(world, 'run', ...asked, '--commit', ...UNATTENDED);
  expect(ended.stdout + ended.stderr).toContain(IN_COMMAND);
  expect(world.status()).toMatchObject({ status: 'completed', doneBy: ['check'], proven: true });
  const prompts = JSON.stringify(world.model.requests);
  expect(prompts).toContain("a check that you can't see fails");
  // What it asked in its shell was answered.
  const answers = world.model.requests.map(({ text }) => text).join('\n');
  for (const words of ['held-out check 1', 'What would end it', '"doneBy"']) expect(answers).toContain(words);
  expect(answers).toMatch(/^\d+ dacapo run$/m);
  expect(prompts).not.toContain(IN_COMMAND);
  expect(prompts).not.toContain(IN_OUTPUT);
  expect(git('log', '--oneline').trim().split('\n').length).toBeGreaterThan(1);
  expect(git('log', '-p', '--all')).not.toContain('canary');
  for (const words of ['status', 'explain', 'report']) {
    const { stdout, stderr } = await dacapo(world, words);
    expect(stdout + stderr).toContain(IN_COMMAND);
  }
  expect(env['CLAUDECODE']).toBeUndefined();
});
