// npm calls this before it packs: installs what a fresh clone lacks, builds everything, then looks at the
// package. `npm pack --dry-run` only looks, so it writes nothing, and it lists what is built already.

import { spawnSync } from 'node:child_process';
import { root } from '../root.mjs';

const isDryRun = process.env.npm_config_dry_run === 'true';
const steps = isDryRun
  ? [['scripts/build/build.mjs', '--types', '--is-fresh']]
  : [
      ['scripts/setup.mjs', '--prepare'],
      ['scripts/build/build.mjs', '--types'],
      ['scripts/check/package.mjs'],
    ];
for (const args of steps) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status === 0) continue;
  if (isDryRun) console.error('package: dist is not up to date, so the list is that of the last build.');
  process.exit(isDryRun ? 0 : 1);
}
