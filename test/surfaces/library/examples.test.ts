/** Every example is run as a user would run it: with the built package, imported by its name. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const examples = readdirSync(join(root, 'examples')).filter(
  // A proxy runs until it is ended: test/e2e/key-proxy.test.ts.
  (name) => name.endsWith('.mjs') && name !== 'key-proxy.mjs',
);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dacapo-examples-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'dacapo'), 'junction');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PRINTED: Readonly<Record<string, RegExp>> = {
  'agent-loop.mjs': /^completed after 2 iterations\n$/,
  'follow.mjs': /^1 created\n[^]*\n8 complete\n$/,
  'rehearse.mjs': /^continue, then complete\n$/,
};

test.each(examples)('%s', async (name) => {
  cpSync(join(root, 'examples', name), join(folder, name));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [name], { cwd: folder });
  expect(stderr).toBe('');
  expect(stdout).toMatch(PRINTED[name] ?? /^never$/);
});

test('none is missing', () => {
  expect(examples.toSorted()).toEqual(Object.keys(PRINTED).toSorted());
});
