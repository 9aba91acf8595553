// Mutation score of src/core: `npm run mutate` for all of it, `npm run mutate -- decide around` for some files.
// Stryker is fetched for the run and is no dependency: nobody else has to install it. All of core takes an hour on one core.
// What has been judged before is kept in reports/mutation/, and only judged anew where code or tests have changed.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const STRYKER = '9.6.1';

// The runner must bring the very vitest that the tests are written for.
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const packages = [
  `@stryker-mutator/core@${STRYKER}`,
  `@stryker-mutator/vitest-runner@${STRYKER}`,
  `vitest@${devDependencies.vitest}`,
];

const files = process.argv.slice(2).map((name) => `src/core/${name}.ts`);
const { status } = spawnSync(
  'npx',
  [
    '--yes',
    ...packages.flatMap((name) => ['--package', name]),
    'stryker',
    'run',
    'test/mutation/stryker.config.json',
    ...(files.length > 0 ? ['--mutate', files.join(',')] : []),
  ],
  { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
);
process.exit(status ?? 1);
