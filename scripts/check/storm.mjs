// A fleet in a storm, larger than in the tests: kills, frozen workers, cut networks, crashes of the database.
//
//   npm run storm -- [--loops N] [--passes N] [--workers N] [--capacity N] [--kills N] [--freezes N] [--cuts N] [--crashes N]

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../root.mjs';

const DEFAULTS = {
  loops: 1000,
  passes: 5,
  workers: 8,
  capacity: 1,
  kills: 100,
  freezes: 5,
  cuts: 5,
  crashes: 2,
};

const options = Object.fromEntries(
  Object.entries(DEFAULTS).map(([name, usual]) => [name, { type: 'string', default: String(usual) }]),
);
const { values } = parseArgs({ options });
for (const [name, value] of Object.entries(values))
  if (!/^\d+$/.test(value)) {
    console.error(`storm: --${name} takes a whole number, not ${JSON.stringify(value)}`);
    process.exit(2);
  }
const chosen = Object.entries(values).map(([name, value]) => [`STORM_${name.toUpperCase()}`, value]);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'unit', 'test/fleet/storm.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...Object.fromEntries(chosen) } },
);
process.exit(status ?? 1);
