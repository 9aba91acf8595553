/** A project of one function and one red test, on Node's own runner. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const WRONG = 'export const half = (n) => n;\n';
export const RIGHT = 'export const half = (n) => n / 2;\n';
export const TEST = `import { test } from 'node:test';
import assert from 'node:assert';
import { half } from './half.js';
test('half', () => assert.equal(half(4), 2));
`;
/** Passes on the wrong code as well. */
export const VACUOUS = TEST.replace('half(4), 2', 'half(0), 0');
export const PACKAGE = { type: 'module', scripts: { test: 'node --test' } };

export function putFile(project: string, file: string, content: string): void {
  mkdirSync(join(project, dirname(file)), { recursive: true });
  writeFileSync(join(project, file), content);
}

export function gitIn(project: string, ...args: string[]): void {
  execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
}

export function makeHalfProject(project: string): void {
  putFile(project, 'package.json', JSON.stringify(PACKAGE));
  putFile(project, 'half.js', WRONG);
  putFile(project, 'half.test.js', TEST);
  putFile(project, '.gitignore', 'node_modules\nconftest.py\n');
  gitIn(project, 'init', '-q');
  gitIn(project, 'add', '-A');
  gitIn(project, 'commit', '-qm', 'start');
}
