// What the benches of the fleet share: the stage of its tests, without a test.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The stage of the tests, and the functions of the fleet. What a test does at its end is done by `finish`.
 */
export async function bundleFleet() {
  const folder = join(ROOT, 'node_modules/.cache/dacapo-bench');
  mkdirSync(folder, { recursive: true });
  // Two benches may run at once.
  const outfile = join(folder, `fleet-${process.pid}.mjs`);
  const vitest = {
    name: 'vitest',
    setup: (made) => {
      made.onResolve({ filter: /^vitest$/ }, () => ({ path: 'vitest', namespace: 'bench' }));
      made.onLoad({ filter: /.*/, namespace: 'bench' }, () => ({
        contents: `const ends = [];
          export const onTestFinished = (end) => void ends.push(end);
          export async function finish() { while (ends.length > 0) await ends.pop()(); }`,
      }));
    },
  };
  await build({
    stdin: {
      contents: `
        export { openStage, passesNow } from './test/fleet/stage.ts';
        export { ownCluster } from './test/fleet/postgres.ts';
        export { lives } from './test/processes.ts';
        export { openDatabase } from './src/fleet/database/database.ts';
        export { leaseNextLoop, renewLeases } from './src/fleet/lease.ts';
        export { releaseLoop, shipRecorded, shipTaken } from './src/fleet/ship.ts';
        export { applyInFleet } from './src/fleet/actions.ts';
        export { default as pg } from 'pg';
        export { finish } from 'vitest';`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    external: ['pg'],
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(join(ROOT, 'test/fleet/stage.ts')).href),
      'import.meta.dirname': JSON.stringify(join(ROOT, 'test/fleet')),
    },
    plugins: [vitest],
    logLevel: 'error',
  });
  const made = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return {
    ...made,
    openStage: ({ connections, ...options } = {}) =>
      made.openStage({ ...options, cluster: made.ownCluster(undefined, connections).folder }),
  };
}

export function median(times, share = 0.5) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}
