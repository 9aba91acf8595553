// Runs every bench that has a bound, one after the other, prints one table and writes it to
// docs/internals/figures.md. Figures to read, never a test: it exits with 0 if a bound is not held, and the
// table says so.
//
//   node bench/all.mjs [--cpu] [--short] [--only NAME] [--no-page]
//
// --cpu: processor time instead of wall time where a bench can measure it, for a busy machine. --short: a
// quarter of the rounds. --only: one bench of those below; then no page is written.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isHeld, machine, plainEnvironment, printRows, sayRatio } from './measure.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PAGE = join(ROOT, 'docs/internals/figures.md');
/** `canCpu`: it has --cpu. The server of bench/mcp.mjs answers many requests, so only wall time tells them apart. */
const BENCHES = [
  { name: 'hook', rounds: 80, canCpu: true, args: [] },
  { name: 'fresh', rounds: 12, canCpu: true, args: ['--only', 'ratio'] },
  { name: 'cli', rounds: 40, canCpu: true, args: [] },
  { name: 'many-loops', rounds: 20, canCpu: true, args: [] },
  { name: 'mcp', rounds: 200, canCpu: false, args: [] },
];
const { values: flags } = parseArgs({
  options: {
    cpu: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    'no-page': { type: 'boolean', default: false },
  },
});

const chosen = BENCHES.filter(({ name }) => flags.only === undefined || name === flags.only);
const before = machine();
const rows = [];
for (const bench of chosen) {
  const made = measured(bench);
  printRows(made);
  rows.push(...made);
}
const missed = rows.filter((row) => !isHeld(row)).length;
console.log(`\n${rows.length - missed} of ${rows.length} bounds held.`);
if (flags.only === undefined && !flags['no-page']) writeFileSync(PAGE, page());

/** Its rows that have a bound. */
function measured({ name, rounds, canCpu, args }) {
  const isCpu = flags.cpu && canCpu;
  const times = flags.short ? Math.ceil(rounds / 4) : rounds;
  const all = ['--json', '--rounds', String(times), ...(isCpu ? ['--cpu'] : []), ...args];
  const said = execFileSync(process.execPath, [join(ROOT, 'bench', `${name}.mjs`), ...all], {
    encoding: 'utf8',
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(said)
    .filter(({ bound }) => bound !== null)
    .map((row) => ({ ...row, bench: name, rounds: times, clock: isCpu ? 'processor' : 'wall' }));
}

function page() {
  const { node, cpu, cores, load } = before;
  const lines = rows.map((row) =>
    [
      row.name.replace(/^[a-z] {2}/, ''),
      row.bench,
      sayRatio(row.ratio),
      row.bound,
      isHeld(row) ? 'held' : '**not held**',
      row.clock,
      row.rounds,
    ].join(' | '),
  );
  return `# Figures

\`npm run bench${flags.cpu ? ' -- --cpu' : ''}${flags.short ? `${flags.cpu ? '' : ' --'} --short` : ''}\` wrote this page. Do not edit it.

- ${new Date().toISOString().slice(0, 10)}, Node ${node}, ${cores} × ${cpu}, load ${load.toFixed(1)} at the start and ${machine().load.toFixed(1)} at the end
- ${rows.length - missed} of ${rows.length} bounds held

A ratio compares two times of the same run. The hook and the commands are compared with a bare \`node -e 0\`, an
iteration with one of the bare host, and what grows with its smallest size. A clock of \`processor\` counts
processor time and leaves out waiting for the disk; \`wall\` is what a person waits, and means little on a machine
whose load is above its number of cores.

| what | bench | ratio | bound | | clock | rounds |
|---|---|---|---|---|---|---|
${lines.map((line) => `| ${line} |`).join('\n')}
`;
}
