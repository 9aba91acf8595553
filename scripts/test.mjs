// `npm test` checks everything. `npm test -- FILE`, or any other words for vitest, runs only those tests.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const given = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const [program, ...args] =
  given.length === 0
    ? ['npm', 'run', 'check']
    : [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...given];
const { status } = spawnSync(program, args, {
  cwd: root,
  stdio: 'inherit',
  shell: program === 'npm' && process.platform === 'win32',
});
process.exit(status ?? 1);
