// @module-tag slow
// Killed at any moment: the journal reads, the view is whole, nothing is left running, and the next stop works.
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  HOOK,
  beginHook,
  continues,
  eventsOf,
  makeProgram,
  pause,
  said,
  until,
  type Payload,
  type Program,
} from './program.ts';
import { kill, nameOf } from '../processes.ts';

/** One for each millisecond or so in which a hook lives. The moments are others in every run. */
const KILLS = 120;
/** Each with a loop of its own, so that two processors have something to do. */
const LANES = 3;
const PATIENCE = 120_000;
/** A check gets two seconds to end by itself before it is made to. */
const GRACE = 10_000;

const opened: Program[] = [];
afterEach(() => {
  for (const hook of opened.splice(0)) hook.close();
});

function program(): Program {
  const hook = makeProgram();
  opened.push(hook);
  return hook;
}

const CLAIM = 'All done.\n\n<promise>COMPLETE</promise>';

/** The check does this at stops only: the start runs it once, and is not what these tests are about. */
function args(check: string): string {
  return `Build it --max-iterations unlimited --max-stalls off --completion-promise COMPLETE --check "test -f begun || exit 1; ${check}"`;
}

async function withCheck(check: string): Promise<Program> {
  const hook = program();
  await hook.start(args(check));
  writeFileSync(join(hook.project, 'begun'), '');
  return hook;
}

/** Each pass spends one, each claimed stop is judged once or lost, and nothing else happened. */
function expectExact(hook: Program): void {
  const events = hook.events();
  const loop = hook.loop();
  const verdicts = eventsOf(events, 'verdict').map(({ n }) => n);
  const lost = eventsOf(events, 'lost').map(({ n }) => n);
  const closed = [...verdicts, ...lost, ...(loop.open === null ? [] : [loop.open.n])];
  expect(closed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: loop.stops }, (_, k) => k + 1));
  expect(hook.passes()).toBe(verdicts.length);
  expect(loop.status.is).toBe('running');
  expect(loop.events).toBe(events.length);
}

test(
  `kill -9 of the hook at a random moment, ${KILLS} times`,
  async () => {
    const lanes = await Promise.all(Array.from({ length: LANES }, () => withCheck('sleep 30')));
    const longest = { plain: 60, claim: 120 };
    await Promise.all(lanes.map((hook) => killMany(hook, KILLS / LANES, longest)));
    // The moments were spread: some had answered, some were proving, some had only begun.
    const sum = (count: (hook: Program) => number) => lanes.map(count).reduce((a, b) => a + b);
    expect(sum((hook) => hook.passes())).toBeGreaterThan(5);
    expect(sum((hook) => hook.evidence().length)).toBeGreaterThan(5);
    expect(sum((hook) => hook.loop().stops)).toBeLessThan(KILLS - 5);
    for (const hook of lanes) {
      await until('nothing is left running', () => hook.processes().length === 0, GRACE);
      const before = hook.passes();
      const answer = await hook.stop('Go on.', { prompt_id: 'after' });
      expect(continues(answer)).toBe(true);
      expect(answer?.systemMessage).toContain(`iteration ${before + 2} `);
      expect(hook.passes()).toBe(before + 1);
      expect(hook.loop().open).toBeNull();
      expectExact(hook);
      expect(eventsOf(hook.events(), 'lost').length).toBeGreaterThan(0);
    }
  },
  PATIENCE,
);

/**
 * Every third claims to be done, and its check runs until it is killed. `longest`: in milliseconds, learned
 * by all lanes.
 */
async function killMany(
  hook: Program,
  times: number,
  longest: Record<'plain' | 'claim', number>,
): Promise<void> {
  for (let k = 0; k < times; k++) {
    const kind = k % 3 === 0 ? 'claim' : 'plain';
    const words = kind === 'claim' ? CLAIM : `Words ${k}.`;
    const before = { passes: hook.passes(), evidence: hook.evidence().length };
    const { child, ended } = hook.begin(hook.stopped(words, { prompt_id: `prompt-${k}` }));
    await pause(Math.random() * longest[kind]);
    child.kill('SIGKILL');
    await ended;
    expectExact(hook);
    expect(hook.viewIsWhole()).toBe(true);
    // A slow machine needs later moments: they follow what a hook gets done there, from its start to its end.
    const late = kind === 'plain' ? hook.passes() > before.passes : hook.evidence().length > before.evidence;
    longest[kind] *= late ? 0.8 : 1.25;
  }
}

describe('while a check runs', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s: recorded as lost, and what it started ends',
    async (signal) => {
      const hook = await withCheck('sleep 30 & sleep 31; echo never');
      const { child, ended } = hook.begin(hook.stopped(CLAIM));
      await until('the check runs', () => named(hook, 'sleep').length === 2);
      child.kill(signal);
      expect(said(await ended)).toBeNull();
      await until('nothing is left running', () => hook.processes().length === 0, GRACE);
      expect(eventsOf(hook.events(), 'lost')).toMatchObject([{ n: 1, why: 'terminated' }]);
      expect(hook.log()).toMatch(/stop=1 lost/);
      expect(hook.passes()).toBe(0);
      expect(continues(await hook.stop('Go on.'))).toBe(true);
      expect(hook.passes()).toBe(1);
      expectExact(hook);
    },
  );

  test('a check that ignores SIGTERM is made to end', async () => {
    const hook = await withCheck("trap '' TERM; sleep 30; sleep 31");
    const { child, ended } = hook.begin(hook.stopped(CLAIM));
    await until('the check runs', () => named(hook, 'sleep').length === 1);
    child.kill('SIGTERM');
    expect(said(await ended)).toBeNull();
    await until('nothing is left running', () => hook.processes().length === 0, GRACE);
    expect(eventsOf(hook.events(), 'lost')).toMatchObject([{ n: 1, why: 'terminated' }]);
  });

  test('kill -9 of the hook: the check ends, and the next stop records the loss', async () => {
    const hook = await withCheck('sleep 30');
    const { child, ended } = hook.begin(hook.stopped(CLAIM));
    await until('the check runs', () => named(hook, 'sleep').length === 1);
    child.kill('SIGKILL');
    expect(await ended).toMatchObject({ signal: 'SIGKILL', stdout: '' });
    await until('nothing is left running', () => hook.processes().length === 0, GRACE);
    expect(hook.loop().open?.n).toBe(1);
    // The very same stop, delivered again: the first one was never answered.
    expect(continues(await hook.stop('Not yet.'))).toBe(true);
    expect(eventsOf(hook.events(), 'lost')).toMatchObject([{ n: 1, why: 'died' }]);
    expect(hook.passes()).toBe(1);
    expectExact(hook);
  });

  test('kill -9 of the host: the hook notices, ends what it started, and records it', async () => {
    const host = await beginHost('sleep 30');
    await host.send(host.hook.stopped(CLAIM));
    await until('the check runs', () => named(host.hook, 'sleep').length === 1);
    host.kill();
    await until('nothing is left running', () => host.hook.processes().length === 0, GRACE);
    expect(eventsOf(host.hook.events(), 'lost')).toMatchObject([{ n: 1, why: 'orphaned' }]);
    expect(host.hook.passes()).toBe(0);
    expect(host.hook.viewIsWhole()).toBe(true);
    // Another process of the host takes the session up.
    expect(continues(await host.hook.stop('Go on.'))).toBe(true);
    expect(host.hook.passes()).toBe(1);
  });

  test(
    'kill -9 of the host at any moment leaves nothing running',
    async () => {
      const killAfter = async (ms: number) => {
        const host = await beginHost('sleep 30');
        await host.send(host.hook.stopped(CLAIM));
        await pause(ms);
        host.kill();
        await until('nothing is left running', () => host.hook.processes().length === 0, GRACE);
        expectExact(host.hook);
        expect(host.hook.viewIsWhole()).toBe(true);
      };
      await Promise.all(Array.from({ length: 10 }, (_, k) => killAfter(k * 30)));
    },
    PATIENCE,
  );
});

/**
 * A host that starts a hook for every payload it is given, as Claude Code does: the hook's parent, and the
 * loop's owner.
 */
async function beginHost(check: string) {
  const hook = program();
  const { child } = beginHook(process.execPath, ['-e', HOST, HOOK], null, {
    cwd: hook.project,
    env: hook.env,
  });
  const pid = child.pid ?? 0;
  const send = (payload: Payload) =>
    new Promise<void>((sent) => void child.stdin?.write(`${JSON.stringify(payload)}\n`, () => sent()));
  const answered = child.stdout === null ? null : once(child.stdout, 'data');
  await send(hook.command('ralph', args(check)));
  await answered;
  writeFileSync(join(hook.project, 'begun'), '');
  expect(hook.loop().session.owner?.process).toBe(pid);
  return { hook, send, kill: () => kill(pid) };
}

const HOST = `
  const { spawn } = require('node:child_process');
  const env = { ...process.env, CLAUDE_PID: String(process.pid) };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (payload) => {
    const hook = spawn(process.execPath, [process.argv[1]], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    hook.stdout.pipe(process.stdout, { end: false });
    hook.stdin.end(payload);
  });
`;

function named(hook: Program, name: string): number[] {
  return hook.processes().filter((pid) => nameOf(pid) === name);
}

test('what a killed hook has left unfinished goes with the view', async () => {
  const hook = await withCheck('true');
  writeFileSync(join(hook.project, '.claude/.ralph-loop.local.md.4194300.tmp'), 'half a vi');
  writeFileSync(join(hook.project, '.claude/settings.local.json'), '{}');
  await hook.run(hook.command('cancel-ralph', '', { prompt_id: 'c' }));
  expect(readdirSync(join(hook.project, '.claude'))).toEqual(['settings.local.json']);
});
