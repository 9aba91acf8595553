// What a person reads to follow one event has a bound: the files that it goes through.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const MINUTES = 5 * 60_000;

test(
  'a common stop, a start, a pass of a run and a cancel each go through few files',
  () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/check/walk.mjs', '--bounded', '--json'],
      {
        cwd: resolve(import.meta.dirname, '..'),
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
  },
  MINUTES,
);
