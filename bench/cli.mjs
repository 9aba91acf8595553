// Measures how fast the command line starts, as ratios to a bare `node -e 0` of the same run. Figures to
// read, never a test.
//
//   node bench/cli.mjs [--rounds N] [--cli FILE]...
//
// `cold`: on a machine where no loop was ever started, so nothing compiled is kept. Several --cli compare
// builds.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    cli: { type: 'string', multiple: true, default: [join(ROOT, 'dist/cli.cjs')] },
  },
});
const COMMANDS = [
  ['--version'],
  ['status'],
  ['list', '--all'],
  ['doctor'],
  ['init', '--dry-run'],
  ['fleet', 'list'],
];
/** The second run keeps the compiled code. */
const WARM_UP = 3;

const root = mkdtempSync(join(tmpdir(), 'dacapo-cli-bench-'));
// With this variable, Node 20 reads a file of certificates at every start.
const { NODE_EXTRA_CA_CERTS: _, DACAPO_FLEET: __, ...inherited } = process.env;
try {
  const [project, warm, cold] = ['project', 'warm', 'cold'].map((name) => join(root, name));
  for (const folder of [project, warm]) mkdirSync(folder, { mode: 0o700 });
  const kinds = [
    { name: 'node -e 0', args: ['-e', '0'], home: cold },
    ...flags.cli.flatMap((cli, at) =>
      COMMANDS.flatMap((words) =>
        [warm, cold].map((home) => ({
          name: `${flags.cli.length > 1 ? `${at + 1}: ` : ''}${words.join(' ')}${home === cold ? ', cold' : ''}`,
          args: [cli, ...words],
          home,
        })),
      ),
    ),
  ].map((kind) => ({ ...kind, times: [] }));
  for (let round = -WARM_UP; round < Number(flags.rounds); round++)
    for (const { args, home, times } of kinds) {
      const began = performance.now();
      spawnSync(process.execPath, args, {
        cwd: project,
        env: { ...inherited, DACAPO_HOME: home },
        stdio: 'ignore',
      });
      if (round >= 0) times.push(performance.now() - began);
    }
  const [bare] = kinds.map(({ times }) => median(times));
  for (const { name, times } of kinds)
    console.log(`${name.padEnd(28)} ${(median(times) / bare).toFixed(2)} ×  ${median(times).toFixed(0)} ms`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}
