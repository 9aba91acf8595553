// Loops on engines that kill what they start, more than in the tests: nothing is lost, nothing counted twice.
//
//   npm run engines -- slurm [--loops N] [--passes N] [--nodes N] [--deaths N] [--cancels N] [--limits N]
//   npm run engines -- dumb  [--loops N] [--passes N] [--slots N]       kills one worker in three
//   npm run engines -- pgboss [--loops N] [--passes N] [--kills N]       and a loop that kills its workers
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../root.mjs';

const ENGINES = {
  slurm: {
    test: 'test/recipes/engines/slurm.test.ts',
    numbers: { loops: 100, passes: 3, nodes: 3, deaths: 10, cancels: 12, limits: 4 },
  },
  pgboss: { test: 'test/recipes/engines/pg-boss.test.ts', numbers: { loops: 20, passes: 3, kills: 6 } },
  dumb: { test: 'test/fleet/strikes/dumb-engine.test.ts', numbers: { loops: 100, passes: 3, slots: 4 } },
};

const [name, ...args] = process.argv.slice(2);
const engine = Object.hasOwn(ENGINES, name ?? '') ? ENGINES[name] : undefined;
if (engine === undefined) {
  console.error(`engines: which one? ${Object.keys(ENGINES).join(', ')}`);
  process.exit(2);
}
const options = Object.fromEntries(
  Object.entries(engine.numbers).map(([key, usual]) => [key, { type: 'string', default: String(usual) }]),
);
const { values } = parseArgs({ args, options });
for (const [key, value] of Object.entries(values))
  if (!/^\d+$/.test(value)) {
    console.error(`engines: --${key} takes a whole number, not ${JSON.stringify(value)}`);
    process.exit(2);
  }
const env = Object.entries(values).map(([key, value]) => [`${name}_${key}`.toUpperCase(), value]);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'unit', engine.test], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...Object.fromEntries(env) },
});
process.exit(status ?? 1);
