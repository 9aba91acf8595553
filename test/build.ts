// Once, before all tests: what they start is built from the sources as they are now.

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endCluster } from './fleet/postgres.ts';

export function setup(): () => void {
  build();
  // The first test that needs a database starts Postgres there (test/fleet/postgres.ts).
  const folder = mkdtempSync(join(tmpdir(), 'dcpg-'));
  process.env['DACAPO_TEST_POSTGRES'] = folder;
  return () => endCluster(folder);
}

function build(): void {
  const root = resolve(import.meta.dirname, '..');
  // A continuous run must test the committed plugin/dist, not replace it.
  const flags = process.env['CI'] ? ['--strict', '--only', 'cli'] : [];
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-stale', ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) return;
  if (process.env['CI']) throw new Error('the build failed');
  console.error('The build failed: tests that start the hook or the command line run what was built before.');
}
