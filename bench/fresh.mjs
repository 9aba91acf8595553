// Measures what `dacapo run` adds to each iteration over a bare `while :; do claude -p …; done`, and whether
// its memory stays flat. These are figures to read, never a test.
//
//   node bench/fresh.mjs [--only ratio|added|passes|stream] [--rounds N] [--iterations N] [--passes N] [--cpu] [--json]
//
// The ratio compares both ways with the real Claude Code and a scripted model on loopback. They take turns
// every few iterations, and the figure is the median over these pairs: a busy moment of the machine hits both
// ways of a pair. In a git repository, the driver records the work of every iteration. There each request to
// the model changes a file, as an agent would. On a busy machine even that figure varies by a third between
// two runs. `added` is more reliable: what the driver adds to a host that answers at once, as the fastest
// tenth of many iterations. Memory is that of the driver alone, with a stand-in for the host that prints the
// same without delay. With --cpu the ratio is one of processor time: what more iterations add to a run, against
// as many starts of the bare host.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TIMED, cpuTimeIn, median, middleHalf, printRows, quickest } from './measure.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CLI = join(ROOT, 'dist/cli.cjs');
const CLAUDE = join(
  ROOT,
  `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
);
const MB = 1024 * 1024;
const LOOK_MS = 20;
const FILES = 200;
const BARE_ARGS = ['-p', '--output-format', 'stream-json', '--verbose', '--', 'Do it.'];
/** Iterations of one run with a host that answers at once. */
const QUICK = 20;

// A shortened version of what the real host prints in a pass.
const LINES = [
  {
    type: 'system',
    subtype: 'init',
    session_id: 's',
    model: 'm',
    claude_code_version: '2.1.325',
    permissionMode: 'acceptEdits',
  },
  {
    type: 'assistant',
    parent_tool_use_id: null,
    message: { id: 'last', content: [{ type: 'text', text: 'Not yet.' }] },
  },
  {
    type: 'result',
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    result: 'Not yet.',
    num_turns: 1,
    total_cost_usd: 0,
  },
].map((line) => JSON.stringify(line));
const SAY_LINES = `say(${JSON.stringify(`${LINES.join('\n')}\n`)});`;

/** Where both ways are compared, and how much an iteration of `dacapo run` may take of one of the bare host. */
const PLACES = [
  { where: 'in a folder', prepare: () => undefined, bound: 1.05 },
  { where: 'in a git repository', prepare: makeRepository, bound: 1.08 },
];

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    iterations: { type: 'string', default: '5' },
    passes: { type: 'string', default: '1000' },
    stream: { type: 'string', default: '1024' },
    only: { type: 'string', default: '' },
    cpu: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const root = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-fresh-')));
const model = await startModel();
try {
  const rows = [];
  if ('ratio'.includes(flags.only))
    rows.push(...(await (flags.cpu ? cpuRatio : ratio)(Number(flags.rounds), Number(flags.iterations))));
  if ('added'.includes(flags.only)) rows.push(...(await added(Number(flags.rounds))));
  if ('passes'.includes(flags.only)) rows.push(await passes(Number(flags.passes)));
  if ('stream'.includes(flags.only)) rows.push(await stream(Number(flags.stream)));
  if (flags.json) console.log(JSON.stringify(rows, null, 2));
  else printRows(rows);
} finally {
  model.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/**
 * Measures one iteration both ways, in turn. What a run does once before its first iteration (it asks the
 * host for its version and its login) is a separate figure.
 */
async function ratio(rounds, iterations) {
  const cases = [
    { ...PLACES[0], ratios: [], bare: [], before: [] },
    { ...PLACES[1], ratios: [], bare: [], before: [] },
  ];
  // The first round fills caches.
  for (let round = -1; round < rounds; round++) {
    for (const [n, each] of cases.entries()) {
      const pair = await pairOf(each.prepare, `${n}-${round}`, iterations, round % 2 === 0);
      if (round < 0) continue;
      each.ratios.push(median(pair.driven.iterationsMs) / median(pair.bare));
      each.bare.push(...pair.bare);
      each.before.push(pair.driven.startMs);
    }
  }
  return cases.flatMap(({ where, bound, ratios, bare, before }) => [
    figure(`${where}: an iteration of the bare loop`, `${median(bare).toFixed(0)} ms`),
    {
      name: `${where}: an iteration of dacapo run, to the bare host`,
      ratio: median(ratios),
      bound,
      detail: `from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
    },
    figure(`${where}: before the first iteration, once`, `${median(before).toFixed(0)} ms`),
  ]);
}

/** A row without a ratio. */
function figure(name, detail) {
  return { name, ratio: null, bound: null, detail };
}

/** What a run does once is in its first iteration, so that one is taken away from both ends. */
async function cpuRatio(rounds, iterations) {
  const cases = PLACES.map((place) => ({ ...place, bare: [], driven: [] }));
  // The first round fills caches.
  for (let round = -1; round < rounds; round++)
    for (const [n, { prepare, bare, driven }] of cases.entries()) {
      const places = ['bare', 'run', 'once'].map((way) => makeProject(`cpu-${way}-${n}-${round}`));
      for (const { cwd } of places) prepare(cwd);
      const [alone, run, once] = places;
      model.changes = places.map(({ cwd }) => join(cwd, 'part-0', '0.txt'));
      let aloneMs = 0;
      for (let k = 0; k < iterations; k++) aloneMs += await cpuMsOf(CLAUDE, BARE_ARGS, alone);
      const onceMs = await cpuMsOf(process.execPath, runArgs(1), once);
      const manyMs = await cpuMsOf(process.execPath, runArgs(1 + iterations), run);
      if (round < 0) continue;
      bare.push(aloneMs / iterations);
      driven.push((manyMs - onceMs) / iterations);
    }
  return cases.map(({ where, bound, bare, driven }) => ({
    name: `${where}: an iteration of dacapo run, to the bare host`,
    ratio: middleHalf(driven) / middleHalf(bare),
    bound,
    detail: `${middleHalf(driven).toFixed(0)} ms of ${middleHalf(bare).toFixed(0)} ms`,
  }));
}

/** Not by `timedRun`: this process is the model, and has to answer meanwhile. */
function cpuMsOf(program, args, { cwd, ...env }) {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'ignore', 'pipe'];
    const child = spawn('bash', ['-c', TIMED, program, ...args], { cwd, env, stdio });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => (said += chunk));
    child.on('error', reject);
    child.on('close', () => resolve(cpuTimeIn(said)));
  });
}

async function pairOf(prepare, name, iterations, bareFirst) {
  const places = ['bare', 'run'].map((way) => makeProject(`${way}-${name}`));
  for (const { cwd } of places) prepare(cwd);
  const [alone, run] = places;
  model.changes = places.map(({ cwd }) => join(cwd, 'part-0', '0.txt'));
  const first = bareFirst ? await bareRound(alone, iterations) : null;
  const driven = await drivenRound(run, iterations);
  return { bare: first ?? (await bareRound(alone, iterations)), driven };
}

/** A small project with its work committed. */
function makeRepository(cwd) {
  for (let n = 0; n < FILES; n++) {
    mkdirSync(join(cwd, `part-${n % 10}`), { recursive: true });
    writeFileSync(join(cwd, `part-${n % 10}`, `${n}.txt`), `${n}\n`.repeat(n));
  }
  const git = (...args) => {
    const { status } = spawnSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.org', ...args], {
      cwd,
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')} ended with ${status}`);
  };
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
}

/** Returns how long each iteration took. */
async function bareRound(project, iterations) {
  const took = [];
  for (let k = 0; k < iterations; k++) took.push(await timed(() => run(CLAUDE, BARE_ARGS, project)));
  return took;
}

/** Measures from the start of one iteration to the start of the next, or to the end of the loop. */
async function drivenRound(project, iterations) {
  const began = Date.now();
  const lines = await output(process.execPath, runArgs(iterations), project);
  const told = lines.map((line) => JSON.parse(line));
  const marks = told
    .filter(({ is }) => is === 'iteration-begins' || is === 'ends')
    .map(({ at }) => Date.parse(at));
  if (marks.length !== iterations + 1) throw new Error(`the run did not run: ${lines.at(-1)}`);
  return {
    startMs: marks[0] - began,
    iterationsMs: marks.slice(1).map((mark, k) => mark - marks[k]),
  };
}

async function added(rounds) {
  const rows = [];
  for (const { where, prepare, change } of [
    { where: 'in a folder', prepare: () => undefined, change: '' },
    { where: 'in a git repository', prepare: makeRepository, change: '' },
    { where: 'in a git repository, with changes', prepare: makeRepository, change: 'echo 1 >> part-0/0.txt' },
  ]) {
    const host = shellHost(`at-once-${rows.length}`, change);
    const [bare, driven] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const project = { ...makeProject(`added-${rows.length}-${round}`), DACAPO_CLAUDE: host };
      prepare(project.cwd);
      for (let k = 0; k < QUICK; k++) bare.push(await timed(() => run(host, [], project)));
      driven.push(...(await drivenRound(project, QUICK)).iterationsMs.slice(1));
    }
    const ms = quickest(driven) - quickest(bare);
    rows.push(figure(`${where}: added to an iteration`, `${ms.toFixed(0)} ms`));
  }
  return rows;
}

function runArgs(iterations) {
  const limits = ['--pause', '0', '--max-iterations', String(iterations), '--max-stalls', 'off'];
  return [CLI, 'run', 'Do it.', ...limits, '--json'];
}

async function passes(count) {
  const host = standIn('quick', SAY_LINES);
  const project = makeProject('many');
  const sizes = await memoryOf(runArgs(count), { ...project, DACAPO_CLAUDE: host });
  return figure(`memory over ${count} iterations, which should stay flat`, growth(sizes));
}

async function stream(megabytes) {
  const text = JSON.stringify({
    type: 'assistant',
    parent_tool_use_id: null,
    message: { id: 'm', content: [{ type: 'text', text: 'x'.repeat(64 * 1024) }] },
  });
  const lines = Math.ceil((megabytes * MB) / text.length);
  const host = standIn(
    'loud',
    `const big = ${JSON.stringify(text)} + '\\n';\nfor (let k = 0; k < ${lines}; k++) say(big);\n${SAY_LINES}`,
  );
  const sizes = await memoryOf([CLI, 'run', 'Do it.', '--max-iterations', '1', '--quiet'], {
    ...makeProject('loud'),
    DACAPO_CLAUDE: host,
  });
  return figure(`memory over a stream of ${megabytes} MB, which should stay flat`, growth(sizes));
}

/** Compares the first tenth, when everything is loaded, with the highest value seen. */
function growth(sizes) {
  const early = median(sizes.slice(0, Math.max(1, Math.ceil(sizes.length / 10))));
  return `${early.toFixed(0)} MB at first, ${Math.max(...sizes).toFixed(0)} MB at most`;
}

function standIn(name, body) {
  const path = join(root, `${name}.cjs`);
  writeFileSync(
    path,
    `#!${process.execPath}
const { writeSync } = require('node:fs');
if (process.argv.includes('--version')) { writeSync(1, '2.1.325 (Claude Code)\\n'); process.exit(0); }
function say(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try { at += writeSync(1, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
  }
}
${body}`,
  );
  chmodSync(path, 0o755);
  return path;
}

/** A stand-in that starts faster than any Node program. */
function shellHost(name, change) {
  const path = join(root, name);
  const lines = LINES.map((line) => `echo '${line}'`);
  const answers = [`[ "$1" = --version ] && echo '2.1.325 (Claude Code)' && exit`, `[ "$1" = auth ] && exit`];
  writeFileSync(
    path,
    ['#!/bin/sh', ...answers, 'while read -r line; do :; done', change, ...lines, ''].join('\n'),
  );
  chmodSync(path, 0o755);
  return path;
}

function makeProject(name) {
  const home = join(root, name, 'home');
  const cwd = join(root, name, 'project');
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true });
  return {
    cwd,
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: root,
    DACAPO_HOME: join(root, name, 'dacapo'),
    DACAPO_CLAUDE: CLAUDE,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-ant-scripted-bench',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    IS_SANDBOX: '1',
  };
}

function run(program, args, { cwd, ...env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

async function output(program, args, { cwd, ...env }) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  return text.trimEnd().split('\n');
}

/** Samples the driver's own memory while it runs. */
function memoryOf(args, { cwd, ...env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
    const sizes = [];
    const look = setInterval(() => {
      const path = `/proc/${child.pid}/status`;
      if (!existsSync(path)) return;
      const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1];
      if (kb !== undefined) sizes.push(Number(kb) / 1024);
    }, LOOK_MS);
    child.on('error', reject);
    child.on('close', () => {
      clearInterval(look);
      resolve(sizes);
    });
  });
}

async function timed(act) {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** A model that answers every request with a few words, and changes the files that it is given. */
async function startModel() {
  const work = { changes: [] };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      for (const file of work.changes) if (existsSync(file)) appendFileSync(file, 'more\n');
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 2 },
      };
      const send = (type, data) =>
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send('message_start', { message });
      send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Not yet.' } });
      send('content_block_stop', { index: 0 });
      send('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 2 },
      });
      send('message_stop', {});
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(work, {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}
