// Measures commands in a home with many loops, as ratios to a bare `node -e 0` of the same run. Figures to
// read, never a test.
//
//   node bench/many-loops.mjs [--loops N] [--rounds N] [--cli FILE] [--cpu] [--json]
//
// The loops have ended, and belong to a hundred projects. The first round makes the summaries of all loops
// (`cache/loops.json`) and is not counted.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { plainEnvironment, printRows, shuffled, timedRun, typical } from './measure.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: {
    loops: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '20' },
    cli: { type: 'string', default: join(ROOT, 'dist/cli.cjs') },
    cpu: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const PROJECTS = 100;
const WARM_UP = 3;
/** `list --all` opens and prints every loop, so it has no bound. */
const COMMANDS = [
  { words: ['status'], bound: 4 },
  { words: ['status', '--all'], bound: 4 },
  { words: ['list'], bound: 4 },
  { words: ['list', '--all'], bound: null },
];

const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-many-loops-')));
try {
  const home = join(root, 'home');
  const projects = Array.from({ length: PROJECTS }, (_, n) => join(root, `project-${n}`));
  for (const project of projects) mkdirSync(join(project, '.git'), { recursive: true });
  await makeLoops(home, projects, Number(flags.loops));
  const [cwd] = projects;
  const kinds = [
    { name: 'node -e 0', args: ['-e', '0'], bound: null },
    ...COMMANDS.map(({ words, bound }) => ({
      name: `dacapo ${words.join(' ')}, with ${flags.loops} loops`,
      args: [flags.cli, ...words],
      bound,
    })),
  ].map((kind) => ({ ...kind, times: [] }));
  const env = { ...plainEnvironment(), DACAPO_HOME: home };
  for (let round = -WARM_UP; round < Number(flags.rounds); round++)
    for (const { name, args, times } of shuffled(kinds)) {
      const { status, stdout, ms } = timedRun(process.execPath, args, { isCpu: flags.cpu, cwd, env });
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      if (args[0] !== '-e' && !stdout.includes('LOOP_')) throw new Error(`no loop: ${stdout.slice(0, 200)}`);
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

async function makeLoops(home, projects, count) {
  const dacapo = await bundled();
  const store = dacapo.fileStore(dacapo.homeAt(home));
  for (let n = 0; n < count; n++) {
    const created = { ...dacapo.created(), id: `LOOP_${n}`, project: projects[n % projects.length] };
    const open = store.make(created, ({ blobs }) => blobs.write('prompts/hash-of-prompt.md', `Task ${n}`));
    open.write(dacapo.bound());
    for (const event of [...dacapo.pass(1), ...dacapo.pass(2)]) open.write(event);
    open.write({ type: 'cancelled', at: '2026-01-05T11:00:00.000Z', by: 'terminal', prompt: null });
    open.keep();
    open.close();
  }
}

async function bundled() {
  const contents = `
    export { fileStore } from './src/store/file/store.ts';
    export { homeAt } from './src/store/file/home.ts';
    export { created, bound, pass } from './test/law/given.ts';
  `;
  const outfile = join(root, 'store.mjs');
  const stdin = { contents, resolveDir: ROOT, loader: 'ts' };
  const external = ['vitest'];
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, external, logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}
