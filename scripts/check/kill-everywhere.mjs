// Strikes a start, a stop, a completion, a cancel and a pass at every system call that changes something: killed
// there, and that call failing as on a disk that is full, broken or read-only. Needs strace.
//
//   npm run kill-everywhere -- [--only 'a cancel'] [--kind kills|errors] [--strikes 40 [--seed N]]
//
// With a number of strikes, so many kills and so many errors of each are chosen by the seed.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../root.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    kind: { type: 'string', default: '' },
    strikes: { type: 'string', default: 'all' },
    seed: { type: 'string', default: '1' },
  },
});
if (!['', 'kills', 'errors'].includes(values.kind)) {
  console.error(`kill-everywhere: --kind takes kills or errors, not ${JSON.stringify(values.kind)}`);
  process.exit(2);
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'unit', 'test/trust/kill-everywhere.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TRUST_STRIKES: values.strikes,
      TRUST_SCENE: values.only,
      TRUST_KIND: values.kind,
      TRUST_SEED: values.seed,
    },
  },
);
process.exit(status ?? 1);
