// Mutation score of src/law: `npm run mutate` for all of it, `npm run mutate -- decide fold/frames` for some files.
// Stryker is downloaded for the run and is not a dependency, so that contributors need not install it.
// test/mutation/runner.mjs runs the tests; reports/mutation/mutation.json lists every mutant and its result.

import { spawnSync } from 'node:child_process';
import { root } from '../root.mjs';

const STRYKER = '9.6.1';

const files = process.argv.slice(2).map((name) => `src/law/${name}.ts`);
const { status } = spawnSync(
  'npx',
  [
    '--yes',
    '--package',
    `@stryker-mutator/core@${STRYKER}`,
    'stryker',
    'run',
    'test/mutation/stryker.config.json',
    ...(files.length > 0 ? ['--mutate', files.join(',')] : []),
  ],
  { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
);
process.exit(status ?? 1);
