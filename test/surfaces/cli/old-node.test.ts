/** A Node that is too old gets one sentence from every door, and a hook that still lets the session stop. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sayTooOld } from '#base/process/node-version.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const SENTENCE = 'Node 18.20.8 is too old: Da Capo needs 20.19 or newer.';

/** Runs a program of ours with this Node, which calls itself an old one. */
function runOnOldNode(program: string, args: readonly string[], input = '', preload = '') {
  const folder = mkdtempSync(join(tmpdir(), 'dacapo-old-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const disguise = join(folder, 'old.cjs');
  writeFileSync(
    disguise,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });\n${preload}`,
  );
  mkdirSync(join(folder, 'home'));
  const env = { ...process.env, DACAPO_HOME: join(folder, 'home') };
  const ran = spawnSync(process.execPath, ['--require', disguise, join(ROOT, program), ...args], {
    encoding: 'utf8',
    input,
    env,
    cwd: folder,
  });
  return { ...ran, log: () => readFileSync(join(folder, 'home', 'hook.log'), 'utf8') };
}

test.each([
  ['18.20.8', SENTENCE],
  ['20.18.3', 'Node 20.18.3 is too old: Da Capo needs 20.19 or newer.'],
  ['20.19.0', null],
  ['22.1.0', null],
])('Node %s', (node, said) => expect(sayTooOld(node)).toBe(said));

test.each([['status'], ['doctor'], ['run', 'Fix it']])('dacapo %s says it, with the next step', (...args) => {
  const { status, stdout, stderr } = runOnOldNode('dist/cli.cjs', args);
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `error: ${SENTENCE}\nnext: Update Node: https://nodejs.org\n`,
  });
});

test('a program reads it as JSON', () => {
  const { stdout } = runOnOldNode('dist/cli.cjs', ['status', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ error: SENTENCE, exit: 1 });
});

test('dacapo hook lets the session stop', () => {
  expect(runOnOldNode('dist/cli.cjs', ['hook'], '{}')).toMatchObject({ status: 0, stdout: '' });
});

test('npm run demo says it before it installs anything', () => {
  const { status, stderr } = runOnOldNode('scripts/setup.mjs', []);
  expect([status, stderr]).toEqual([1, `setup: ${SENTENCE} Update Node: https://nodejs.org\n`]);
});

test('where the hook fails on it, its log has the sentence instead of a stack trace', () => {
  // What an old Node lacks: reading the payload fails as a missing function would.
  const { status, log } = runOnOldNode(
    'plugin/dist/hook-program.cjs',
    [],
    '{}',
    "JSON.parse = () => { throw new TypeError('toSorted is not a function') };",
  );
  expect(status).toBe(0);
  expect(log()).toMatch(new RegExp(`failed open: ${SENTENCE}\n$`));
});
