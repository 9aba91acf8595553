// `npm run figures` tells how large the sources are and what shape they have.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

test('the figures of all rooms add up to those of src', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/figures.mjs', '--json'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);

  const { bytes, lines, rooms } = JSON.parse(stdout) as {
    bytes: number;
    lines: number;
    rooms: { room: string; bytes: number; lines: number }[];
  };
  expect(rooms.map(({ room }) => room)).toContain('core');
  expect(rooms.reduce((sum, room) => sum + room.bytes, 0)).toBe(bytes);
  expect(rooms.reduce((sum, room) => sum + room.lines, 0)).toBe(lines);
});
