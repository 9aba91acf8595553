// Once, before all tests: what they start is built from the sources as they are now, and what they write goes
// to memory.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readFileSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endCluster } from './fleet/postgres.ts';
import { lives } from './processes.ts';
import { compilePrograms } from './warm.ts';

export function setup(): () => void {
  build();
  const room = roomInMemory();
  if (room !== null) process.env['TMPDIR'] = room;
  compilePrograms(mkdtempSync(join(tmpdir(), 'dcwarm-')));
  // The first test that needs a database starts Postgres there (test/fleet/postgres.ts).
  const folder = mkdtempSync(join(tmpdir(), 'dcpg-'));
  process.env['DACAPO_TEST_POSTGRES'] = folder;
  return () => {
    endCluster(folder);
    if (room !== null) remove(room);
  };
}

const MEMORY = '/dev/shm';
const NAMESPACE = 'pid-namespace';
/** Far more than the tests need. */
const ROOM = 4 * 1024 ** 3;

/**
 * Small repositories and homes by the thousand, gone in a moment: on a disk they take about as long as the
 * code under test. Null: there is not enough room, or programs can't be started there.
 */
function roomInMemory(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < ROOM) return null;
    for (const name of readdirSync(MEMORY)) {
      const pid = /^dacapo-tests-(\d+)-/.exec(name)?.[1];
      if (pid === undefined || lives(Number(pid))) continue;
      const mark = join(MEMORY, name, NAMESPACE);
      if (existsSync(mark) && readFileSync(mark, 'utf8') === pidNamespace()) remove(join(MEMORY, name));
    }
    const room = mkdtempSync(join(MEMORY, `dacapo-tests-${process.pid}-`));
    writeFileSync(join(room, NAMESPACE), pidNamespace());
    // Postgres may run as another user.
    chmodSync(room, 0o755);
    const program = join(room, 'starts');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    if (spawnSync(program).status === 0) return room;
    remove(room);
  } catch {
    // No such folder: another system.
  }
  return null;
}

/** Containers may share the memory, and not the numbers of their processes. */
function pidNamespace(): string {
  return readlinkSync('/proc/self/ns/pid');
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function build(): void {
  const root = resolve(import.meta.dirname, '..');
  // A continuous run must test the committed plugin/dist, not replace it.
  const flags = process.env['CI'] ? ['--only', 'cli'] : [];
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'scripts/build/build.mjs'), '--if-stale', ...flags],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (status === 0) return;
  if (process.env['CI']) throw new Error('the build failed');
  console.error('The build failed: tests that start the hook or the command line run what was built before.');
}
