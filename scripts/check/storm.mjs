// A fleet in a storm, larger than in the tests: kills, frozen workers, cut networks, crashes of the database.
//
//   npm run storm -- [WEATHER] [--loops N] [--passes N] [--workers N] [--capacity N] [--kills N] [--freezes N]
//     [--cuts N] [--crashes N] [--outages N] [--latency MS] [--git-delay MS] [--skew S] [--poison N] [--kept N]
//     [--kept-passes N]
//
// WEATHER is one of WEATHERS below: other numbers to begin with.

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
  outages: 0,
  latency: 0,
  'git-delay': 0,
  skew: 0,
  poison: 0,
  kept: 0,
  'kept-passes': 0,
};

const SMALL = { loops: 60, passes: 3, workers: 4, capacity: 2, kills: 10, freezes: 1, cuts: 1, crashes: 1 };
const WEATHERS = {
  /** A database that is 20 ms away, and a git server that thinks about each push. */
  far: { ...SMALL, latency: 20, 'git-delay': 1_000 },
  /** A record that has grown for months, and that nobody has analyzed. */
  grown: { ...SMALL, kept: 100_000, 'kept-passes': 50_000 },
  /** Clocks that are five minutes ahead and behind. */
  skewed: { ...SMALL, skew: 300 },
  /** Loops that end their workers. */
  poisoned: { ...SMALL, poison: 2 },
  /** A database that is away for two leases, twice. */
  away: { ...SMALL, outages: 2 },
};

const weather = process.argv.slice(2).find((word) => !word.startsWith('--') && !/^\d/.test(word));
if (weather !== undefined && !Object.hasOwn(WEATHERS, weather)) {
  console.error(`storm: ${weather} is none of ${Object.keys(WEATHERS).join(', ')}`);
  process.exit(2);
}
const usual = weather === undefined ? DEFAULTS : { ...DEFAULTS, ...WEATHERS[weather] };
const options = Object.fromEntries(
  Object.entries(usual).map(([name, value]) => [name, { type: 'string', default: String(value) }]),
);
const { values } = parseArgs({ options, allowPositionals: true });
for (const [name, value] of Object.entries(values))
  if (!/^\d+$/.test(value)) {
    console.error(`storm: --${name} takes a whole number, not ${JSON.stringify(value)}`);
    process.exit(2);
  }
const chosen = Object.entries(values).map(([name, value]) => [
  `STORM_${name.toUpperCase().replaceAll('-', '_')}`,
  value,
]);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'unit', 'test/fleet/strikes/storm.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...Object.fromEntries(chosen) } },
);
process.exit(status ?? 1);
