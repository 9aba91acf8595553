import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { descendantsOf, MARK_VARIABLE, passMark, treeBelow } from '#base/process/descendants.ts';

test('a pass inside a pass carries both marks', () => {
  expect(passMark('inner', undefined)).toBe('inner');
  expect(passMark('inner', 'outer')).toBe('outer/inner');
});

test.runIf(process.platform === 'linux')(
  'whoever carries the mark is found, also inside another pass',
  async () => {
    const pass = `test-${process.pid}`;
    const env = (mark: string) => ({ env: { ...process.env, [MARK_VARIABLE]: mark }, detached: true });
    const own = [spawn('sleep', ['60'], env(pass)), spawn('sleep', ['60'], env(`outer/${pass}/inner`))];
    const other = spawn('sleep', ['60'], env(`${pass}0`));
    await Promise.all([...own, other].map((child) => once(child, 'spawn')));
    const descendants = descendantsOf(0, pass, 'linux');
    expect(descendants.signal(0)).toBe(2);
    const ends = own.map((child) => once(child, 'exit'));
    expect(descendants.signal('SIGKILL')).toBe(2);
    await Promise.all(ends);
    expect(descendants.signal(0)).toBe(0);
    expect(other.exitCode ?? other.signalCode).toBeNull();
    other.kill('SIGKILL');
  },
);

describe.skipIf(process.platform === 'win32')('without marks', () => {
  test('the tree is remembered while its root lives, and found when it is gone', async () => {
    const root = spawn('sh', ['-c', 'sleep 60 & sleep 60 & echo ready; wait'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(root.stdout, 'data');
    const tree = treeBelow(root.pid ?? 0);
    expect(tree.signal(0)).toBe(0);
    tree.remember();
    const end = once(root, 'exit');
    root.kill('SIGKILL');
    await end;
    expect(tree.signal('SIGKILL')).toBe(2);
    await expect.poll(() => tree.signal(0)).toBe(0);
  });
});
