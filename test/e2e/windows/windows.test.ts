// @module-tag wine
/**
 * Da Capo's own programs on Windows: the real node.exe and Git for Windows, under Wine. What Windows itself
 * does with files, processes and names, Wine only plays; a real Windows has never run this.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { windowsPath } from '../../../scripts/test/wine.mjs';
import { makeWindows } from './windows.ts';

const AGENT = resolve(import.meta.dirname, '../../platforms/agent.mjs');
const LONG = { timeout: 170_000 };

const CHECK = `import { existsSync } from 'node:fs'; process.exit(existsSync('done.txt') ? 0 : 1);`;
const MAKE_DONE = 'fs.writeFileSync("done.txt", "")';
const STOP = { stop_hook_active: false, background_tasks: [], session_crons: [] };
const ralph = (args: string) => ({
  expansion_type: 'slash_command',
  command_name: 'dacapo:ralph',
  command_args: args,
  command_source: 'plugin',
  prompt: `/dacapo:ralph ${args}`,
});
const REQUEST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
/** It never ends, and neither does the process that it starts. */
const SLOW = `
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
if (process.argv[2] === undefined) spawn(process.execPath, ['slow.mjs', 'below'], { stdio: 'ignore' });
setInterval(() => process.argv[2] && appendFileSync('beats.txt', 'x'), 50);
`;
/**
 * A command that works while this process has files open, which Windows lets nobody replace or remove. Once
 * it has begun to (a new file is there, or one that nobody holds is gone), it has to wait for a moment.
 */
const WHILE_OPEN = `
const [folders, ...command] = process.argv.slice(1);
const files = (folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
const all = () => folders.split(';').flatMap(files);
const held = all().map((one) => fs.openSync(path.join(one.parentPath, one.name), 'r'));
const free = [...new Set(all().map((one) => path.join(one.parentPath, 'free')))];
for (const file of free) fs.writeFileSync(file, '');
const hasBegun = () => all().some(({ name }) => name.endsWith('.tmp')) || !free.every((file) => fs.existsSync(file));
const look = setInterval(() => {
  if (!hasBegun()) return;
  clearInterval(look);
  setTimeout(() => held.forEach((file) => fs.closeSync(file)), 200);
}, 5);
child_process.spawn(process.execPath, command, { stdio: 'inherit' }).on('exit', (code) => process.exit(code));
`;
const BEATS = `
const beats = () => fs.statSync('beats.txt').size;
const first = beats();
setTimeout(() => console.log(first > 0, beats() - first), 500);
`;
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

const DENIED = /"permissionDecision":"deny".*--protect/;

describe('a loop in a session', () => {
  test('a stop is held, protected files stay, and the proof ends it', LONG, async () => {
    const { project, run, write, hook, dacapo, git, node } = makeWindows();
    write('check.mjs', CHECK);
    write('tests/a.mjs', '');
    const edit = (file_path: string) =>
      hook('PreToolUse', { tool_name: 'Write', tool_input: { file_path, content: 'x' }, tool_use_id: 't1' });
    const stop = (words: string, prompt_id = 'prompt-1') =>
      hook('Stop', { ...STOP, prompt_id, last_assistant_message: words });
    const [, started, same, folded, other, held, status, explained, , ended, listed] = await run(
      git('init', '-q'),
      hook(
        'UserPromptExpansion',
        ralph('Make done.txt --check "node check.mjs" --protect "tests\\**" --max-iterations 9'),
      ),
      edit(`${project}\\tests\\a.mjs`),
      edit(`${project}\\Tests\\A.MJS`),
      edit(`${project}\\src\\a.mjs`),
      stop('I am done.'),
      dacapo('status'),
      dacapo('explain'),
      node(MAKE_DONE),
      // The same variable, as another shell writes it.
      { ...stop('I am really done.', 'prompt-2'), spells: 'PATH' },
      dacapo('list', '--all', '--json'),
    );
    expect(started?.stdout).toContain('started. Done when: `node check.mjs` passes');
    expect([same?.stdout, folded?.stdout]).toEqual([
      expect.stringMatching(DENIED),
      expect.stringMatching(DENIED),
    ]);
    expect(other).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(held?.stdout).toContain('check `node check.mjs` failed with exit code 1');
    expect(held?.stdout).toContain('"additionalContext":"Still missing');
    expect(status?.stdout).toMatch(/iteration +2 of 9.*✗ check `node check\.mjs`/s);
    expect(explained?.stdout).toContain('verdict   continue');
    expect(ended?.stdout).toContain('completed after 2 iterations: `node check.mjs` passes (proven)');
    expect(JSON.parse(listed?.stdout ?? '')).toMatchObject([{ status: 'completed', project }]);
  });

  test('whatever is wrong, the session may stop', LONG, async () => {
    const { run, hook } = makeWindows();
    const stop = hook('Stop', { ...STOP, last_assistant_message: 'x' });
    const told = await run(
      stop,
      { ...stop, input: 'garbage' },
      { ...stop, input: '' },
      { ...stop, env: { ...stop.env, DACAPO_HOME: 'Z:\\dev\\null' } },
      { ...stop, env: { ...stop.env, DACAPO_HOME: 'relative' } },
    );
    expect(told.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(told.map(({ stdout }) => stdout).join('')).not.toContain('Still missing');
  });
});

test('init writes lines that Windows can start, and uninstall takes them back', LONG, async () => {
  const { run, dacapo, node } = makeWindows();
  const SHOW = 'console.log(fs.readFileSync(".claude/settings.local.json", "utf8"))';
  const [installed, shown, doctor, codex, removed, left, served, notified] = await run(
    dacapo('init'),
    node(SHOW),
    dacapo('doctor'),
    dacapo('init', '--host', 'codex', '--dry-run'),
    dacapo('uninstall'),
    node('console.log(fs.readdirSync(".").join())'),
    { ...dacapo('mcp'), input: `${JSON.stringify(REQUEST)}\n` },
    dacapo('notify', `http://127.0.0.1:${await closedPort()}/`, '--test'),
  );
  expect(installed).toMatchObject({ code: 0, stderr: '' });
  const { hooks } = JSON.parse(shown?.stdout ?? '') as { hooks: Record<string, { hooks: object[] }[]> };
  const lines = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
  expect(lines).toHaveLength(9);
  for (const line of lines)
    expect(line).toMatchObject({
      command: 'node',
      args: [expect.stringMatching(/^Z:\\.*plugin\Wdist\W(?:hook|wake)\.cjs$/)],
    });
  expect(doctor?.stdout).toContain('✓ Node 22');
  expect(doctor?.stdout).toMatch(/✓ git version \S+\.windows/);
  expect(codex?.stdout).toMatch(/"node \\"Z:\\\\.*\\\\plugin\\\\dist\\\\hook\.cjs\\""/);
  expect(removed).toMatchObject({ code: 0, stderr: '' });
  expect(left?.stdout.trim()).toBe('');
  const answer: unknown = JSON.parse(served?.stdout ?? '');
  expect(answer).toMatchObject({ id: 1, result: { serverInfo: { name: 'dacapo' } } });
  // Wine has another word for it than Windows.
  expect(notified).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/nothing is listening there|UNKNOWN/),
  });
});

test(
  'a run drives an agent that npm installed, and its files are removed once nobody reads them',
  LONG,
  async () => {
    const { project, dacapoHome, run, write, dacapo, git, node } = makeWindows();
    write('check.mjs', CHECK);
    write('bin/agent.mjs', readFileSync(AGENT, 'utf8'));
    // Such a pair npm makes: Windows starts the second one, and only by its shell.
    write('bin/stand-in', '#!/bin/sh\nexit 1\n');
    write('bin/stand-in.cmd', '@node "%~dp0agent.mjs" %*\r\n');
    const host = 'acp:stand-in --acp "two words" C:\\x';
    const flags = ['--check', 'node check.mjs', '--pause', '0', '--permission-mode', 'all'];
    const prune = dacapo('prune', '--all', '--older-than', '0s');
    const [, ran, listed, pruned, none] = await run(
      git('init', '-q'),
      { ...dacapo('run', '--host', host, 'Make done.txt', ...flags), before: `${project}\\bin` },
      dacapo('list', '--json'),
      node(WHILE_OPEN, '--', `${windowsPath(dacapoHome)}\\loops`, ...prune.args),
      dacapo('list', '--all', '--json'),
    );
    expect(ran?.stdout).toContain('says: --acp|two words|C:\\x');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('completed after 2 iterations') });
    expect(JSON.parse(listed?.stdout ?? '')).toMatchObject([{ status: 'completed', iteration: 2, host }]);
    expect(pruned).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(none?.stdout ?? '')).toEqual([]);
  },
);

test(
  'a check that takes too long ends with all that it started, and a file that is open is waited for',
  LONG,
  async () => {
    const { project, dacapoHome, run, write, hook, dacapo, node } = makeWindows();
    write('slow.mjs', SLOW);
    write('check.mjs', CHECK);
    const [late, beats, began, paused, status] = await run(
      hook('UserPromptExpansion', ralph('Wait --check "node slow.mjs" --check-timeout 6s')),
      node(BEATS),
      hook('UserPromptExpansion', { ...ralph('Wait --check "node check.mjs"'), prompt_id: 'prompt-2' }),
      node(
        WHILE_OPEN,
        '--',
        `${windowsPath(dacapoHome)}\\loops;${project}\\.claude`,
        ...dacapo('pause').args,
      ),
      dacapo('list', '--json'),
    );
    expect(late?.stdout).toContain('it did not finish within 6 s');
    expect(began?.stdout).toContain('started.');
    expect(beats?.stdout).toBe('true 0\n');
    expect(paused).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(status?.stdout ?? '')).toMatchObject([{ status: 'paused' }]);
  },
);
