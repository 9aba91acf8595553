// Measures what a clean room itself takes, without its checks: listing the ground, and making and removing
// the room, beside `cp -R` of the same files. Also what comparing the dependencies takes. Figures to read,
// never a test: on a busy disk only the comparison and the processor time tell something.
//
//   node bench/room.mjs [--files 1000,20000] [--rounds N] [--json]

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: {
    files: { type: 'string', default: '1000,20000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});

const root = mkdtempSync(join(tmpdir(), 'dacapo-room-'));
try {
  const dacapo = await bundled();
  const rows = [];
  for (const files of flags.files.split(',').map(Number)) rows.push(await measure(dacapo, files));
  if (flags.json) console.log(JSON.stringify(rows, null, 2));
  else
    for (const { files, tests, listMs, makeMs, makeCpuMs, copyMs, removeMs, packagesMs, againMs } of rows)
      console.log(
        [
          `${files} files, ${tests} of them tests: ground listed in ${listMs} ms`,
          `room made in ${makeMs} ms (${makeCpuMs} ms of processor time; cp -R: ${copyMs} ms)`,
          `removed in ${removeMs} ms`,
          `as many files of dependencies kept in ${packagesMs} ms and compared in ${againMs} ms`,
        ].join('; '),
      );
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function bundled() {
  const contents = `
    export { listGround } from './src/evidence/proofs/ground/list.ts';
    export { listPackages, packageChanges } from './src/evidence/proofs/ground/dependencies/packages.ts';
    export { makeRoom } from './src/evidence/proofs/ground/room.ts';
    export { removeExport } from './src/base/files/exports.ts';
  `;
  const outfile = join(root, 'room.mjs');
  const stdin = { contents, resolveDir: ROOT, loader: 'ts' };
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

/** A tenth of the files are tests. */
async function measure(dacapo, files) {
  const { listGround, makeRoom, removeExport } = dacapo;
  const project = join(root, String(files));
  fill(join(project, 'src'), files);
  const git = (...args) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'start');
  const ground = listGround(project, [], () => false).files;
  const folder = join(root, `rooms-${files}`);
  mkdirSync(folder);
  const order = {
    project,
    folder,
    code: { is: 'work-tree' },
    ground,
    replaced: ground,
    setup: null,
    env: process.env,
    signal: new AbortController().signal,
  };
  const listMs = await median(() => listGround(project, [], () => false));
  // None is removed before all are made: ext4 looks for minutes at each inode that was freed before it takes
  // a new one, which made 20,000 files ten times as slow as in any real stop.
  const before = process.cpuUsage();
  const makeMs = await median(() => makeRoom(order));
  const { user, system } = process.cpuUsage(before);
  const makeCpuMs = Math.round((user + system) / 1000 / Number(flags.rounds));
  const rooms = readdirSync(folder).map((name) => join(folder, name));
  const copy = () => execFileSync('cp', ['-R', join(project, 'src'), mkdtempSync(join(folder, 'copy-'))]);
  const copyMs = await median(copy);
  const removeMs = await median(() => removeExport(rooms.pop()));
  const packages = await measurePackages(dacapo, files);
  return { files, tests: ground.length, listMs, makeMs, makeCpuMs, copyMs, removeMs, ...packages };
}

async function measurePackages({ listPackages, packageChanges }, files) {
  const project = join(root, `packages-${files}`);
  fill(join(project, 'node_modules'), files);
  const packagesMs = await median(() => listPackages(project));
  const then = listPackages(project);
  return { packagesMs, againMs: await median(() => packageChanges(then, project)) };
}

function fill(folder, files) {
  for (let i = 0; i < files; i++) {
    const path = join(folder, `${i % 100}/${i}${i % 10 === 0 ? '.test' : ''}.js`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `export const n = ${i};\n`.repeat(40));
  }
}

async function median(act) {
  const times = [];
  for (let i = 0; i < Number(flags.rounds); i++) {
    const began = performance.now();
    await act();
    times.push(performance.now() - began);
  }
  return Math.round(times.toSorted((a, b) => a - b)[times.length >> 1]);
}
