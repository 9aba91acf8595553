/** One pass with programs that behave as badly as hosts do. Their streams are Claude Code's. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { runPass, type Passed, type PassRun } from '#engine/driver/pass/run-pass.ts';
import { afterMs, type After } from '#engine/driver/pass/watches.ts';
import { openWatchdog, type Watchdog } from '#base/process/watchdog.ts';
import { claudeCodeHeadless as host } from '#hosts/claude-code/headless/command.ts';
import type { Pass } from '#hosts/port/headless.ts';
import type { StreamEvent } from '#hosts/port/stream.ts';
import { PASS } from '../../../hosts/headless-conformance.ts';
import { temporaryFolder } from '../../../store/folder.ts';
import { gone, lives } from '../../../processes.ts';

const WATCHDOG = resolve(import.meta.dirname, '../../../../dist/watchdog.cjs');
const watchdogs: Watchdog[] = [];
afterAll(() => {
  for (const watchdog of watchdogs) watchdog.close();
});

/** What the programs below may use. */
const PRELUDE = `#!${process.execPath}
const fs = require('node:fs');
const { spawn } = require('node:child_process');
const say = (value) => fs.writeSync(1, JSON.stringify(value) + '\\n');
const init = () => say({ type: 'system', subtype: 'init', session_id: 's', model: 'm', claude_code_version: '2.1.325', permissionMode: 'plan' });
const text = (words) => say({ type: 'assistant', parent_tool_use_id: null, message: { id: words, content: [{ type: 'text', text: words }] } });
const result = (more) => say({ type: 'result', subtype: 'success', is_error: false, terminal_reason: 'completed', num_turns: 1, total_cost_usd: 0.5, modelUsage: {}, ...more });
const forever = () => setInterval(() => undefined, 1000);
`;

interface Stage {
  readonly folder: string;
  readonly seen: StreamEvent[];
  readonly run: (more?: Partial<PassRun>, pass?: Partial<Pass>) => Promise<Passed>;
  readonly read: (name: string) => string;
  readonly has: (name: string) => boolean;
}

function watchdogFor(program = WATCHDOG): Watchdog {
  const watchdog = openWatchdog(process.env, program);
  watchdogs.push(watchdog);
  return watchdog;
}

function stage(body: string): Stage {
  const folder = temporaryFolder();
  const program = join(folder, 'host.cjs');
  writeFileSync(program, PRELUDE + body);
  chmodSync(program, 0o755);
  const seen: StreamEvent[] = [];
  const watchdog = watchdogFor();
  return {
    folder,
    seen,
    run: (more, pass) =>
      runPass(
        { ...PASS, session: `${PASS.session}-${folder.slice(-6)}`, ...pass },
        {
          host,
          program,
          cwd: folder,
          env: process.env,
          watchdog,
          limits: { passMs: 15_000, silenceMs: 15_000, hangMs: 15_000 },
          evidence: null,
          signal: new AbortController().signal,
          onEvent: (one) => {
            seen.push(one);
            return null;
          },
          graceMs: 200,
          ...more,
        },
      ),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    has: (name) => existsSync(join(folder, name)),
  };
}

function limits(changed: Partial<PassRun['limits']>): Partial<PassRun> {
  return { limits: { passMs: 15_000, silenceMs: 15_000, hangMs: 15_000, ...changed } };
}

/** A clock that runs out when the test says so, as a busy machine knows no half second. */
function expired(limit: 'passMs' | 'silenceMs', when: () => boolean): Partial<PassRun> {
  const MARKED = 7_777;
  const after: After = (ms, act) => {
    if (ms !== MARKED) return afterMs(ms, act);
    const look = setInterval(() => {
      if (!when()) return;
      clearInterval(look);
      act();
    }, 10);
    return () => clearInterval(look);
  };
  return { ...limits({ [limit]: MARKED }), after };
}

test('a reader that is behind is waited for: nothing is lost, and the silence is not the host’s', async () => {
  const it = stage(`
    init(); text('one'); text('two');
    const wait = setInterval(() => {
      if (!fs.existsSync(__dirname + '/go')) return;
      clearInterval(wait); text('three'); result();
    }, 20);`);
  const heard: StreamEvent['is'][] = [];
  let released = false;
  let caughtUp = () => {};
  const behind = new Promise<void>((resolve) => (caughtUp = resolve));
  const passed = it.run({
    ...expired('silenceMs', () => heard.length > 1 && !released),
    onEvent: ({ is }) => {
      heard.push(is);
      return is === 'text' && heard.length === 2 ? behind : null;
    },
  });
  while (heard.length < 2) await sleep(20);
  // Only now, so that it can't come in one piece with what was heard before.
  writeFileSync(join(it.folder, 'go'), '');
  // Longer than the host lives.
  await sleep(1_500);
  expect(heard).not.toContain('result');
  released = true;
  caughtUp();
  expect((await passed).outcome).toMatchObject({ is: 'stopped', message: 'three' });
  expect(heard).toEqual(['init', 'text', 'text', 'text', 'result']);
});

describe('a pass that ends by itself', () => {
  test('gives back its last words, its cost, and its stream', async () => {
    const it = stage(`init(); text('Hello.'); result(); console.error('a warning');`);
    const evidence = join(it.folder, 'stream.jsonl');
    const { outcome, record } = await it.run({ evidence });
    expect(outcome).toEqual({ is: 'stopped', message: 'Hello.', toolUsed: false, denied: [] });
    expect(record).toMatchObject({ model: 'm', spent: { costUsd: 0.5 }, turns: 1 });
    expect(it.seen.map(({ is }) => is)).toEqual(['init', 'text', 'result']);
    expect(it.read('stream.jsonl').split('\n')).toHaveLength(4);
  });

  test('has got its prompt whole, however long, and its arguments and environment', async () => {
    const it = stage(`
      const prompt = fs.readFileSync(0, 'utf8');
      init(); text([prompt.length, process.argv.slice(-2).join(), process.env.DACAPO_DRIVEN, process.cwd()].join(' ')); result();`);
    const pass = { prompt: `é${'x'.repeat(5_000_000)}`, extra: ['--effort', 'high'] };
    const { outcome } = await it.run({}, pass);
    expect(outcome).toMatchObject({ message: `5000001 --effort,high 1 ${it.folder}` });
  });

  test('need not read its prompt', async () => {
    const it = stage(`fs.closeSync(0); init(); text('Hm.'); result();`);
    expect((await it.run({}, { prompt: 'x'.repeat(5_000_000) })).outcome).toMatchObject({ is: 'stopped' });
  });

  test('may write lines that nobody can hold, garbage, and half a line at its end', async () => {
    const it = stage(`
      init();
      const much = Buffer.alloc(1 << 20, 'x');
      for (let k = 0; k < 20; k++) fs.writeSync(1, much);
      fs.writeSync(1, '\\nnot JSON\\n');
      text('Still here.');
      result();
      fs.writeSync(1, '{"type":"sys');`);
    const { outcome } = await it.run();
    expect(outcome).toMatchObject({ is: 'stopped', message: 'Still here.' });
    expect(it.seen.filter(({ is }) => is === 'noise')).toHaveLength(2);
  });

  test('has crashed without a result: the signal, and the end of its complaints', async () => {
    const it = stage(`init(); console.error('out of memory'); process.kill(process.pid, 'SIGKILL');`);
    expect((await it.run()).outcome).toEqual({
      is: 'crashed',
      exit: null,
      signal: 'SIGKILL',
      why: 'ended by SIGKILL: out of memory',
    });
  });

  test('never began: the program is not there', async () => {
    const it = stage('');
    const { outcome } = await it.run({ program: join(it.folder, 'nothing') });
    expect(outcome).toMatchObject({ is: 'fatal', kind: 'config', why: expect.stringContaining('ENOENT') });
  });

  test('never began: there is no watchdog, so nobody would end it', async () => {
    const it = stage(`fs.writeFileSync('began', '')`);
    const { outcome } = await it.run({ watchdog: watchdogFor(join(it.folder, 'nothing.js')) });
    expect(outcome).toMatchObject({
      is: 'fatal',
      kind: 'config',
      why: expect.stringContaining('its watchdog did not start'),
    });
    expect(it.has('began')).toBe(false);
  });
});

describe('a pass that does not end by itself', () => {
  test('after its result it is ended, and has stopped', async () => {
    const it = stage(`init(); text('Done.'); result(); forever();`);
    const { outcome } = await it.run(limits({ hangMs: 100 }));
    expect(outcome).toMatchObject({ is: 'stopped', message: 'Done.' });
  });

  test('silent: it is asked to end, and what it then says of its cost is kept', async () => {
    const it = stage(`
      process.on('SIGINT', () => { result({ is_error: true, terminal_reason: 'aborted_tools' }); process.exit(0); });
      init(); text('Working.'); forever();`);
    const { outcome, record } = await it.run(
      expired('silenceMs', () => it.seen.some(({ is }) => is === 'text')),
    );
    expect(outcome).toMatchObject({ is: 'silent', afterMs: expect.any(Number) });
    expect(record.spent?.costUsd).toBe(0.5);
  });

  test('too long: deaf to every signal but the last', async () => {
    const it = stage(`
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => fs.appendFileSync('signals', signal + ' '));
      fs.writeFileSync('pid', String(process.pid));
      init(); setInterval(() => text('tick'), 100);`);
    const { outcome } = await it.run(expired('passMs', () => it.seen.length > 2));
    expect(outcome).toMatchObject({ is: 'timed-out' });
    expect(it.read('signals')).toMatch(/^SIGINT /);
    expect(await gone(Number(it.read('pid')))).toBe(true);
  });

  test('broken off by its person, also before it has begun', async () => {
    const it = stage(`fs.writeFileSync('pid', String(process.pid)); init(); forever();`);
    const now = new AbortController();
    const running = it.run({ signal: now.signal });
    while (!it.has('pid')) await sleep(10);
    now.abort();
    expect((await running).outcome).toEqual({ is: 'broken-off' });
    expect(await gone(Number(it.read('pid')))).toBe(true);
    expect((await it.run({ signal: now.signal })).outcome).toEqual({ is: 'broken-off' });
  });
});

/** A shell with a session of its own, as Claude Code starts them; only its environment tells whose it is. */
const LEAVES = `
  const left = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  left.unref();
  fs.writeFileSync('left', String(left.pid));`;

describe('nothing is left behind', () => {
  test.runIf(process.platform === 'linux')('by a pass that has stopped', async () => {
    const it = stage(`${LEAVES} init(); text('Done.'); result();`);
    expect((await it.run()).outcome).toMatchObject({ is: 'stopped' });
    expect(lives(Number(it.read('left')))).toBe(false);
  });

  test.runIf(process.platform === 'linux')('by a host that was killed', async () => {
    const it = stage(`${LEAVES} init(); process.kill(process.pid, 'SIGKILL');`);
    expect((await it.run()).outcome).toMatchObject({ is: 'crashed', signal: 'SIGKILL' });
    expect(lives(Number(it.read('left')))).toBe(false);
  });

  test.runIf(process.platform === 'linux')('and what is not of this pass lives on', async () => {
    const other = stage(`fs.writeFileSync('pid', String(process.pid)); init(); forever();`);
    const now = new AbortController();
    const running = other.run({ signal: now.signal });
    while (!other.has('pid')) await sleep(10);
    await stage(`init(); text('Done.'); result();`).run();
    expect(lives(Number(other.read('pid')))).toBe(true);
    now.abort();
    await running;
  });
});
