// `npm run figures` tells how large the sources are and holds what makes them easy to read.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

test('the figures of all floors add up to those of src', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/figures.mjs', '--json'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);

  const { bytes, lines, floors } = JSON.parse(stdout) as {
    bytes: number;
    lines: number;
    floors: { floor: string; bytes: number; lines: number }[];
  };
  expect(floors.map(({ floor }) => floor)).toContain('law');
  expect(floors.reduce((sum, floor) => sum + floor.bytes, 0)).toBe(bytes);
  expect(floors.reduce((sum, floor) => sum + floor.lines, 0)).toBe(lines);
});

test('the budgets of the house hold', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/figures.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
