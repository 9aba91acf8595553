// Measures how fast the command line starts, as ratios to a bare `node -e 0` of the same run. Figures to
// read, never a test.
//
//   node bench/cli.mjs [--rounds N] [--cli FILE]... [--cpu] [--json]
//
// `cold`: on a machine where no loop was ever started, so nothing compiled is kept. Several --cli compare
// builds. --cpu measures processor time instead of wall time, for a busy machine.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { plainEnvironment, printRows, shuffled, timedRun, typical } from './measure.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    cli: { type: 'string', multiple: true, default: [join(ROOT, 'dist/cli.cjs')] },
    cpu: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
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
const BOUND = 1.8;
/** The second run keeps the compiled code. */
const WARM_UP = 3;

const root = mkdtempSync(join(tmpdir(), 'dacapo-cli-bench-'));
try {
  const [project, warm, cold] = ['project', 'warm', 'cold'].map((name) => join(root, name));
  for (const folder of [project, warm]) mkdirSync(folder, { mode: 0o700 });
  const kinds = [
    { name: 'node -e 0', args: ['-e', '0'], home: cold, bound: null },
    ...flags.cli.flatMap((cli, at) =>
      COMMANDS.flatMap((words) =>
        [warm, cold].map((home) => ({
          name: `${flags.cli.length > 1 ? `${at + 1}: ` : ''}dacapo ${words.join(' ')}${home === cold ? ', cold' : ''}`,
          args: [cli, ...words],
          home,
          bound: home === cold ? null : BOUND,
        })),
      ),
    ),
  ].map((kind) => ({ ...kind, times: [] }));
  const inherited = plainEnvironment();
  for (let round = -WARM_UP; round < Number(flags.rounds); round++)
    for (const { args, home, times } of shuffled(kinds)) {
      const env = { ...inherited, DACAPO_HOME: home };
      // Some of them exit with 1: nothing is set up, and there is no fleet.
      const { ms } = timedRun(process.execPath, args, { isCpu: flags.cpu, cwd: project, env });
      if (round >= 0) times.push(ms);
    }
  const bare = typical(kinds[0].times, flags.cpu);
  const rows = kinds.map(({ name, bound, times }) => {
    const ms = typical(times, flags.cpu);
    return { name, ratio: ms / bare, bound, detail: `${ms.toFixed(1)} ms` };
  });
  if (flags.json) console.log(JSON.stringify(rows, null, 2));
  else printRows(rows);
} finally {
  rmSync(root, { recursive: true, force: true });
}
