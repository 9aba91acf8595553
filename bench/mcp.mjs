// Measures the MCP server, as ratios of the same run. Figures to read, never a test.
//
//   node bench/mcp.mjs [--rounds N] [--starts N] [--json]
//
// Start-up: until the server has answered its first request, against a bare `node -e 0`. Calls:
// iteration_validate of a run without commands, against task_update, which makes one durable append. Both go
// through the same client and server, in turn. A run with hooks also marks the work tree at each stop, as
// every loop with more than a promise does, so that a stuck one is noticed: that is git's time, and has no
// target. On a busy machine the ratio of the fastest tenths, in brackets, is more reliable.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, plainEnvironment, printRows, quickest } from './measure.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SERVER = join(ROOT, 'plugin/dist/mcp.cjs');
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    starts: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});
const WARM_UP = 5;
const COMPILED_MS = 2_500;
const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

const root = mkdtempSync(join(tmpdir(), 'dacapo-mcp-bench-'));
const env = { ...plainEnvironment(), DACAPO_HOME: join(root, 'home') };
try {
  const rows = [await starts(Number(flags.starts)), ...(await calls(Number(flags.rounds)))];
  if (flags.json) console.log(JSON.stringify(rows, null, 2));
  else printRows(rows);
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function starts(rounds) {
  // The first server of an installation leaves its compiled code to the next ones, a moment after its start.
  const first = open(root);
  await first.ask(HELLO);
  await new Promise((left) => setTimeout(left, COMPILED_MS));
  await first.close();
  const times = { bare: [], server: [] };
  for (let round = -WARM_UP; round < rounds; round++) {
    const bare = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { env });
    const began = performance.now();
    const server = open(root);
    await server.ask(HELLO);
    const answered = performance.now();
    await server.close();
    if (round < 0) continue;
    times.bare.push(began - bare);
    times.server.push(answered - began);
  }
  return row('start-up until the first answer, to node -e 0', times.server, times.bare, 4);
}

async function calls(rounds) {
  const project = join(root, 'project');
  mkdirSync(project);
  const server = open(project);
  await server.ask(HELLO);
  const call = async (name, input) => {
    const { result } = await server.ask({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name, arguments: input },
    });
    if (result?.isError !== undefined && result.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  };
  const measured = [];
  for (const hooks of [[], ['default']]) {
    const { taskId } = await call('task_create', { title: 'Measure' });
    for (const hookType of hooks) await call('hook_register', { taskId, hookType });
    const { iterationId } = await call('iteration_start', {
      taskId,
      maxIterations: 10_000,
      completionPromises: ['COMPLETE'],
    });
    // A task of its own for the appends: both logs grow alike.
    const { taskId: noted } = await call('task_create', { title: 'Note' });
    const times = { append: [], validate: [] };
    for (let round = -WARM_UP; round < rounds; round++) {
      // Without a change, the loop would be stuck after a few stops.
      writeFileSync(join(project, 'work.txt'), String(round));
      const began = performance.now();
      await call('task_update', { taskId: noted, notes: `Round ${round}` });
      const between = performance.now();
      await call('iteration_validate', { iterationId, agentOutput: `Round ${round}.` });
      const ended = performance.now();
      if (round < 0) continue;
      times.append.push(between - began);
      times.validate.push(ended - between);
    }
    const what = hooks.length === 0 ? 'a promise' : 'a promise and a default hook';
    measured.push(
      row(
        `iteration_validate with ${what}, to one durable append`,
        times.validate,
        times.append,
        hooks.length === 0 ? 2 : null,
      ),
    );
  }
  await server.close();
  return measured;
}

function open(cwd) {
  const child = spawn(process.execPath, [SERVER], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  let id = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  return {
    ask: (message) => {
      const mine = { ...message, id: ++id };
      const answered = new Promise((resolve) => waiting.set(mine.id, resolve));
      child.stdin.write(`${JSON.stringify(mine)}\n`);
      return answered;
    },
    close: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function row(name, times, base, bound) {
  const best = quickest(times) / quickest(base);
  const detail = `${median(times).toFixed(1)} ms of ${median(base).toFixed(1)} ms (${best.toFixed(2)} ×)`;
  return { name, ratio: median(times) / median(base), bound, detail };
}
