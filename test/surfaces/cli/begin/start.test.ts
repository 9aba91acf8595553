/** `dacapo start` and the process that it starts. What it prints and how it exits is told in test/stories. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { openShell, type Shell } from '../shell.ts';

const shells: Shell[] = [];
afterEach(() => shells.splice(0).forEach((shell) => shell.close()));

function newShell(): Shell {
  const shell = openShell();
  shells.push(shell);
  return shell;
}

function calls(shell: Shell): { argv: string[]; cwd: string; cap: string }[] {
  return readFileSync(join(shell.root, 'claude.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { argv: string[]; cwd: string; cap: string });
}

test('the prompt reaches the host to the letter, behind its own flags', async () => {
  const shell = newShell();
  const prompt = '-x "quotes" $HOME `code`\n\n--- and a\ttab';
  writeFileSync(join(shell.project, 'prompt'), prompt);
  await shell.type('dacapo start "$(cat prompt)" --name x -- --allowedTools Bash Edit');
  const [call] = calls(shell);
  expect(call?.argv.slice(-5)).toEqual(['--allowedTools', 'Bash', 'Edit', '--', prompt]);
  expect(call).toMatchObject({ cwd: shell.project, cap: '0' });
});

test('the loop is bound to the session that start chose, and to the process of the host', async () => {
  const shell = newShell();
  await shell.type('CLAUDE_SAYS="Hm." dacapo start Write a poem');
  const [call] = calls(shell);
  const session = call?.argv[call.argv.indexOf('--session-id') + 1];
  const { output } = await shell.type('dacapo logs --json | grep bound');
  const bound = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { session: string; process: number | null; how: string });
  expect(bound).toEqual([
    expect.objectContaining({ session, process: null, how: 'start' }),
    expect.objectContaining({ session, process: expect.any(Number), how: 'start' }),
  ]);
});

test('SIGTERM is passed on to the host, and the loop is left interrupted', async () => {
  const shell = newShell();
  writeFileSync(
    join(shell.project, 'slow'),
    '#!/bin/sh\ntrap "echo told; exit 143" TERM\necho started\nwhile :; do sleep 0.1; done\n',
    { mode: 0o755 },
  );
  const start = shell.start('DACAPO_CLAUDE=./slow exec dacapo start Write a poem');
  let output = '';
  start.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  while (!output.includes('started')) await sleep(20);
  expect((await shell.type('dacapo status --json')).output).toContain('"status": "pending"');
  start.kill('SIGTERM');
  const [exit] = await once(start, 'close');
  expect(output).toContain('told');
  expect(exit).toBe(7);
  expect((await shell.type('dacapo status --json')).output).toContain('"status": "interrupted"');
});

test('Ctrl-C is the business of the host', async () => {
  const shell = newShell();
  writeFileSync(
    join(shell.project, 'slow'),
    '#!/bin/sh\necho "the host is up"\nsleep 1\necho "not impressed"\n',
    {
      mode: 0o755,
    },
  );
  const start = shell.start('DACAPO_CLAUDE=./slow exec dacapo start Write a poem');
  let output = '';
  start.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  while (!output.includes('the host is up')) await sleep(20);
  start.kill('SIGINT');
  await once(start, 'close');
  expect(output).toContain('not impressed');
});

test('started by an agent, a loop is recorded as the agent’s', async () => {
  const shell = newShell();
  await shell.type('CLAUDECODE=1 dacapo ready Write a poem');
  expect((await shell.type('dacapo logs')).output).toContain('by the agent itself');
});
