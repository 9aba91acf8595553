/** The fresh driver over a host that does as it is told, with a clock that the test turns. */
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { parseStartWords } from '../../src/core/arguments.ts';
import { topFrame, type Loop } from '../../src/core/loop.ts';
import { DEFAULT_PLAN, type Plan } from '../../src/core/plan.ts';
import { MOST_ATTEMPTS } from '../../src/drivers/backoff.ts';
import { drive } from '../../src/drivers/fresh.ts';
import type { What } from '../../src/drivers/show/happening.ts';
import { startLoop } from '../../src/hearing/start.ts';
import { isAlive, type World } from '../../src/hearing/world.ts';
import { claudeCodeHeadless } from '../../src/hosts/claude-code/headless.ts';
import { homeAt } from '../../src/journal/home.ts';
import type { OpenLoop } from '../../src/journal/store.ts';
import { temporaryFolder } from '../journal/folder.ts';

const RUNNER = resolve(import.meta.dirname, '../../plugin/dist/runner.cjs');
const PASS_RUNNER = resolve(import.meta.dirname, '../../dist/pass-runner.js');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Each start of the host takes the next line of its script; the last one repeats. */
const HOST = `#!${process.execPath}
const fs = require('node:fs');
const say = (value) => fs.writeSync(1, JSON.stringify(value) + '\\n');
const folder = __dirname;
const n = fs.existsSync(folder + '/n') ? Number(fs.readFileSync(folder + '/n', 'utf8')) : 0;
fs.writeFileSync(folder + '/n', String(n + 1));
fs.appendFileSync(folder + '/argv.jsonl', JSON.stringify(process.argv.slice(2)) + '\\n');
const script = JSON.parse(fs.readFileSync(folder + '/script.json', 'utf8'));
const step = script[Math.min(n, script.length - 1)];
say({ type: 'system', subtype: 'init', session_id: 's', model: 'm', claude_code_version: '2.1.325', permissionMode: 'acceptEdits' });
if (step.crash) process.kill(process.pid, 'SIGKILL');
const said = step.says ?? '';
say({ type: 'assistant', parent_tool_use_id: null, message: { id: 'm' + n, content: [{ type: 'text', text: said }] } });
const end = () => say({ type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', result: said, num_turns: 1, total_cost_usd: step.costs ?? 0,
  modelUsage: {}, model_usage_since_last_result: { m: { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, costUSD: step.costs ?? 0 } } });
if (step.lingers) {
  process.on('SIGINT', () => (end(), process.exit(0)));
  setInterval(() => {}, 1_000);
} else end();
`;

type Step = {
  readonly says?: string;
  readonly crash?: boolean;
  readonly costs?: number;
  /** It works on until it is told to end. */
  readonly lingers?: boolean;
};

interface Stage {
  readonly open: OpenLoop;
  readonly told: What[];
  readonly waits: () => string[];
  readonly arguments: () => string[][];
  readonly run: () => Promise<Loop>;
}

function stage(script: readonly [Step, ...Step[]], flags: string[] = [], plan: Partial<Plan> = {}): Stage {
  const folder = temporaryFolder();
  const project = join(folder, 'project');
  mkdirSync(project);
  const program = join(folder, 'host.cjs');
  writeFileSync(program, HOST);
  chmodSync(program, 0o755);
  writeFileSync(join(folder, 'script.json'), JSON.stringify(script));
  let ahead = 0;
  const world: World = {
    home: homeAt(join(folder, 'home')),
    now: () => new Date(Date.now() + ahead).toISOString(),
    process: process.pid,
    started: new Date().toISOString(),
    runner: RUNNER,
    env: {},
    isAlive,
    log: () => undefined,
  };
  const request = parseStartWords([
    'Do it.',
    '--mode',
    'fresh',
    ...(flags.includes('--max-stalls') ? [] : ['--max-stalls', 'off']),
    ...flags,
  ]);
  if (!request.ok) throw new Error(request.message);
  const started = startLoop(
    { request, project, host: 'claude-code', hand: 'terminal', from: null, owns: null, view: true },
    world,
  );
  if (started.is !== 'started') throw new Error(started.is);
  const { open } = started;
  open.write({
    type: 'planned',
    at: world.now(),
    by: 'terminal',
    plan: { ...DEFAULT_PLAN, pauseMs: 0, ...plan },
  });
  const told: What[] = [];
  const tell = (what: What): boolean => {
    told.push(what);
    // The clock jumps over every wait.
    if (what.is === 'waits' && what.until !== null)
      ahead += Math.max(0, Date.parse(what.until) - Date.parse(world.now())) + 1;
    return true;
  };
  return {
    open,
    told,
    waits: () => told.flatMap((what) => (what.is === 'waits' ? [what.for] : [])),
    arguments: () =>
      readFileSync(join(folder, 'argv.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line): string[] => JSON.parse(line)),
    run: () =>
      drive(
        open,
        {
          host: claudeCodeHeadless,
          program,
          env: { PATH: process.env['PATH'] },
          permissionMode: 'acceptEdits',
          runner: PASS_RUNNER,
          now: new AbortController().signal,
          soon: new AbortController().signal,
          tell,
          drained: async () => undefined,
          chance: () => 0,
          keeper: null,
        },
        world,
      ),
  };
}

const DONE = { says: 'All done.\n\n<promise>COMPLETE</promise>' };

describe('a host that crashes', () => {
  test('is tried again after longer and longer waits, and no iteration is spent', async () => {
    const { run, told, waits } = stage([{ crash: true }, { crash: true }, DONE]);
    const loop = await run();
    expect(loop.status.is).toBe('completed');
    expect(topFrame(loop).passes).toBe(1);
    expect(waits()).toEqual(['retry', 'retry']);
    expect(told.filter(({ is }) => is === 'fault')).toHaveLength(2);
    expect(loop.faults).toMatchObject({ total: 2, inARow: 0, last: { fault: 'crashed' } });
  });

  test('every time is given up, with a loop that can go on', async () => {
    const { run, waits } = stage([{ crash: true }]);
    const loop = await run();
    expect(loop.status).toMatchObject({ is: 'interrupted', why: 'fault' });
    expect(waits()).toHaveLength(MOST_ATTEMPTS - 1);
    expect(topFrame(loop).passes).toBe(0);
  }, 60_000);
});

test('at most so many passes begin in an hour', async () => {
  const { run, waits } = stage([{ says: 'One.' }, { says: 'Two.' }, DONE], [], {
    callsPerHour: 2,
  });
  expect((await run()).status.is).toBe('completed');
  // The third waits until the first is an hour ago.
  expect(waits()).toEqual(['rate']);
});

test('a pause between passes that is worth a line is in the journal, and is no working time', async () => {
  const { run, waits, open } = stage([{ says: 'One.' }, DONE], [], { pauseMs: 10 * MINUTE });
  const loop = await run();
  expect(loop.status.is).toBe('completed');
  expect(waits()).toEqual(['pause']);
  const held = open.journal.read(0).events.filter(({ type }) => type === 'held');
  expect(held).toHaveLength(1);
  expect(loop.clock.workedMs).toBeLessThan(5 * MINUTE);
});

describe('the circuit', () => {
  const idle = ['--max-stalls', '2'];

  test('is half-opened by time, once; one more of the same ends the loop', async () => {
    const { run, waits, told } = stage([{ says: 'May I?' }], idle);
    const loop = await run();
    expect(loop.status).toMatchObject({ is: 'stuck', limit: 'stagnation' });
    expect(waits()).toEqual(['circuit']);
    expect(topFrame(loop).passes).toBe(3);
    expect(told.at(-1)).toMatchObject({ is: 'usage' });
  });

  test('is closed by what comes of the next pass', async () => {
    const { run, waits } = stage([{ says: 'May I?' }, { says: 'May I?' }, DONE], idle);
    expect((await run()).status.is).toBe('completed');
    expect(waits()).toEqual(['circuit']);
  });
});

describe('money', () => {
  test('each pass is given only what is left, and the loop ends with it', async () => {
    const { run, arguments: argv } = stage(
      [
        { says: 'One.', costs: 0.75 },
        { says: 'Two.', costs: 0.5 },
      ],
      ['--max-cost', '1'],
    );
    const loop = await run();
    expect(loop.status).toEqual({ is: 'exhausted', limit: 'cost' });
    expect(loop.spent).toEqual({ costUsd: 1.25, tokens: 30 });
    const left = argv().map((args) => args[args.indexOf('--max-budget-usd') + 1]);
    expect(left.map(Number)).toEqual([1, 0.25]);
  });
});

test('what a pass has cost is paid, also where someone breaks it off', async () => {
  const { open, told, run } = stage([{ says: 'I begin.', costs: 0.5, lingers: true }]);
  const running = run();
  await vi.waitFor(() => expect(told).toContainEqual({ is: 'says', text: 'I begin.' }), 20_000);
  open.write({ type: 'paused', at: new Date().toISOString(), by: 'terminal', why: 'command' });
  const loop = await running;
  expect(loop).toMatchObject({ status: { is: 'paused' }, spent: { costUsd: 0.5, tokens: 15 } });
  expect(topFrame(loop).passes).toBe(0);
  expect(told).toContainEqual(expect.objectContaining({ is: 'usage', costUsd: 0.5 }));
});

test('the raw stream of each pass is kept', async () => {
  const { run, open } = stage([{ says: 'One.' }, DONE]);
  await run();
  const kept = readdirSync(join(open.dir, 'evidence')).filter((name) => name.startsWith('pass-'));
  expect(kept).toHaveLength(2);
  expect(readFileSync(join(open.dir, 'evidence', kept[0] ?? ''), 'utf8')).toContain('"type":"result"');
});

test('passes that end with the same words are different passes', async () => {
  const { run } = stage([{ says: 'Not yet.' }], ['--max-iterations', '3'], {
    context: { is: 'same', compactEvery: null },
  });
  const loop = await run();
  expect(loop.status).toEqual({ is: 'exhausted', limit: 'iterations' });
  expect(topFrame(loop).passes).toBe(3);
});
