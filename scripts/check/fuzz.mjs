// Runs the fuzzers of test/fuzz for as long as you like: npm run fuzz -- [--inputs 1000000] [--seed 1] [--keep]
// They print the first input that breaks something. The same seed gives the same inputs. --keep adds inputs that
// made a reader say something new to test/fuzz/corpus.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../root.mjs';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'unit', 'test/fuzz'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      DACAPO_FUZZ_INPUTS: values.inputs,
      DACAPO_FUZZ_SEED: values.seed,
      DACAPO_FUZZ_KEEP: values.keep ? '1' : '',
    },
  },
);
process.exit(status ?? 1);
