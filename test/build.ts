// Once, before all tests: what they start is built from the sources as they are now.

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

export function setup(): void {
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
