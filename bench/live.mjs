// Measures what the live views read: the index of many loops, and the story of a long one. Figures to read,
// never a test. Each figure is a ratio of two times of the same run, because absolute times belong to one
// machine.
//
//   node bench/live.mjs [--loops N] [--iterations N] [--rounds N] [--json]

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { printRows } from './measure.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: {
    loops: { type: 'string', default: '1000' },
    iterations: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const [LOOPS, ITERATIONS, ROUNDS] = [flags.loops, flags.iterations, flags.rounds].map(Number);

const root = mkdtempSync(join(tmpdir(), 'dacapo-live-'));
try {
  const dacapo = await bundled();
  const rows = [...index(dacapo), ...story(dacapo)];
  if (flags.json) console.log(JSON.stringify(rows, null, 2));
  else printRows(rows);
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function bundled() {
  const contents = `
    export { openIndex } from './src/engine/look/loop-index.ts';
    export { openStory } from './src/engine/look/fold-story.ts';
    export { readStats } from './src/engine/look/read-stats.ts';
    export { fileStore } from './src/store/file/store.ts';
    export { homeAt } from './src/store/file/home.ts';
    export { created, bound, pass, proof, verdict, claim } from './test/law/given.ts';
  `;
  const outfile = join(root, 'live.mjs');
  await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    external: ['vitest'],
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}

function worldOf(dacapo, dir) {
  return {
    store: dacapo.fileStore(dacapo.homeAt(dir)),
    now: () => '2026-01-05T12:00:00.000Z',
    isAlive: () => true,
    process: 1,
    started: '2026-01-05T12:00:00.000Z',
    log: () => undefined,
    env: { HOME: root },
  };
}

/** Loops with twenty iterations each, most of them ended. */
function makeLoops(dacapo, dir, count) {
  const { store } = worldOf(dacapo, dir);
  for (let n = 0; n < count; n++) {
    const open = store.make({ ...dacapo.created(), id: `LOOP_${n}` }, ({ blobs }) =>
      blobs.write('prompts/hash-of-prompt.md', `Task ${n}`),
    );
    open.write(dacapo.bound());
    for (let i = 1; i <= 20; i++) for (const event of dacapo.pass(i)) open.write(event);
    if (n % 10 !== 0)
      open.write({ type: 'cancelled', at: '2026-01-05T11:00:00.000Z', by: 'terminal', prompt: null });
    open.keep();
    open.close();
  }
  return store;
}

function index(dacapo) {
  const dir = join(root, 'home');
  const store = makeLoops(dacapo, dir, LOOPS);
  const world = worldOf(dacapo, dir);
  const listing = timed(() => store.loops());
  const first = timed(() => dacapo.openIndex(null, world).look());
  const opened = dacapo.openIndex(null, world);
  opened.look();
  const same = timed(() => opened.look());
  const open = store.open('LOOP_0');
  let at = 100;
  const changed = timed(() => {
    for (const event of dacapo.pass(21)) open.write({ ...event, n: ++at });
    opened.look();
  });
  open.close();
  const tallies = () => {
    for (let n = 0; n < LOOPS; n++) rmSync(join(dir, 'loops', `LOOP_${n}`, 'tally.json'), { force: true });
  };
  const cold = timed(() => dacapo.readStats(null, world), tallies);
  const warm = timed(() => dacapo.readStats(null, world));
  return [
    row(`first look at ${LOOPS} loops, against opening each once`, first / listing, first),
    row('second look with nothing new, against the first', same / first, same),
    row('second look with one loop grown, against the first', changed / first, changed),
    row('stats that read every journal, against the first look', cold / first, cold),
    row('stats with the tallies of ended loops kept, against reading all', warm / cold, warm),
  ];
}

function story(dacapo) {
  const dir = join(root, 'long');
  const { store } = worldOf(dacapo, dir);
  const open = store.make({ ...dacapo.created({ iterations: null }), id: 'LONG' }, () => undefined);
  open.write(dacapo.bound());
  const journal = join(dir, 'loops', 'LONG', 'journal.jsonl');
  const tail = 'not ok: expected 1 to be 2\n'.repeat(20);
  const proofs = [dacapo.proof('npm test', { is: 'failed', exit: 1, tail })];
  let lines = '';
  for (let n = 1; n <= ITERATIONS; n++)
    lines += [dacapo.claim(n), dacapo.verdict(n, { proofs })]
      .map((event) => `\n${JSON.stringify(event)}\n`)
      .join('');
  appendFileSync(journal, lines);
  const reading = timed(() => open.journal.read(0));
  const first = timed(() => dacapo.openStory(open).page());
  const told = dacapo.openStory(open);
  told.page();
  const again = timed(() => told.page({ before: 5_000 }));
  let n = ITERATIONS;
  const grown = timed(() => {
    n++;
    open.write(dacapo.claim(n));
    open.write(dacapo.verdict(n));
    told.page();
  });
  open.close();
  return [
    row(`first page of ${ITERATIONS} iterations, against reading the journal`, first / reading, first),
    row('another page, against the first', again / first, again),
    row('the page after one more iteration, against the first', grown / first, grown),
  ];
}

/** The best of several rounds, in milliseconds. */
function timed(act, before = () => undefined) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    before();
    const began = performance.now();
    act();
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

function row(name, ratio, ms) {
  return { name, ratio, bound: null, detail: `${ms.toFixed(2)} ms here` };
}
