// Simulates fleets, or one machine: whole schedules with crashes, freezes, cuts and restarts, each from a seed.
//
//   npm run simulate -- machine …                                  one machine; without this word, a fleet
//   npm run simulate -- [--seed N] [--schedules N] [--seconds N]   schedules from this seed on
//   npm run simulate -- --seed N --schedules 1 --trace             one schedule again, with what happened in it if it breaks a rule
//   npm run simulate -- machine --focus '{"kills":0.05}'           more of something than by chance (Focus, test/trust/machine/schedule.ts)
//   npm run simulate -- day [--workers N] [--hours N]               a fleet at work for hours, and what grows with it
//   npm run simulate -- --sabotage all                             how long each sabotage takes to be found; or the name of one

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../root.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    schedules: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3600' },
    workers: { type: 'string', default: '20' },
    hours: { type: 'string', default: '24' },
    sabotage: { type: 'string' },
    focus: { type: 'string', default: '{}' },
    trace: { type: 'boolean', default: false },
  },
});
for (const name of ['seed', 'schedules', 'seconds', 'workers', 'hours'])
  if (!/^\d+(?:\.\d+)?$/.test(values[name])) {
    console.error(`simulate: --${name} takes a number, not ${JSON.stringify(values[name])}`);
    process.exit(2);
  }
/** What is simulated, and the file of tests that does it. */
const SIMULATIONS = {
  fleet: 'test/fleet/simulation.test.ts',
  day: 'test/fleet/simulation.test.ts',
  machine: 'test/trust/machine.test.ts',
};
const [what = 'fleet', ...others] = positionals;
if (!Object.hasOwn(SIMULATIONS, what) || others.length > 0) {
  console.error(
    `simulate: it simulates ${Object.keys(SIMULATIONS).join(' or ')}, not ${positionals.join(' ')}`,
  );
  process.exit(2);
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const usual = what === 'day' ? 'a fleet at work for hours' : 'schedules break no rule';
const only = values.sabotage === undefined ? usual : 'every sabotage is found';
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'unit', SIMULATIONS[what], '-t', only],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      SIMULATE_SEED: values.seed,
      SIMULATE_SCHEDULES: values.schedules,
      SIMULATE_SECONDS: values.seconds,
      SIMULATE_WORKERS: values.workers,
      SIMULATE_HOURS: values.hours,
      SIMULATE_FOCUS: values.focus,
      ...(values.sabotage !== undefined && { SIMULATE_SABOTAGE: values.sabotage }),
      ...(values.trace && { TRACE: '1' }),
    },
  },
);
process.exit(status ?? 1);
