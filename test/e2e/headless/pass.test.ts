// @module-tag slow
/**
 * Passes of the real Claude Code through the port: what they give back, and that they leave nothing behind.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '#hosts/port/stream.ts';
import { realPass } from './stage.ts';
import { CLAUDE, type Reply } from '../host.ts';
import { makeWorld, until, type World } from '../world.ts';
import { commandLineOf } from '../../processes.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

/** A shell that never ends, in a session of its own, as the host starts them. */
const SERVER: Reply = [{ tool: 'Bash', input: { command: 'tail -f /dev/null', run_in_background: true } }];
const STUCK: Reply = [{ tool: 'Bash', input: { command: 'tail -f /dev/null' } }];

async function nothingLeft({ sandbox }: World): Promise<void> {
  await until(() => sandbox.processes().length === 0, 'an end of all processes', 20_000);
}

test('work, its cost, its context and its stream', async () => {
  const world = await makeWorld([
    [{ text: 'I look.' }, { tool: 'Bash', input: { command: 'ls' } }],
    'All seen.',
  ]);
  const seen: StreamEvent[] = [];
  const { outcome, record } = await realPass(
    world.sandbox,
    { model: 'sonnet' },
    {
      onEvent: (one) => {
        seen.push(one);
        return null;
      },
    },
  );
  expect(outcome).toEqual({ is: 'stopped', message: 'All seen.', toolUsed: true, denied: [] });
  expect(seen).toContainEqual(expect.objectContaining({ is: 'tool', name: 'Bash', summary: 'ls' }));
  expect(record.model).toMatch(/sonnet/);
  expect(record.spent?.costUsd).toBeGreaterThan(0);
  expect(record.context).toMatchObject({ tokens: expect.any(Number), window: expect.any(Number) });
  expect(readFileSync(join(world.sandbox.root, 'stream.jsonl'), 'utf8')).toContain('All seen.');
});

test('a session goes on, is compacted, and each pass counts its own cost', async () => {
  const world = await makeWorld(['One.', 'Two.']);
  const session = randomUUID();
  const first = await realPass(world.sandbox, { session });
  const second = await realPass(world.sandbox, { resume: session });
  expect(second.outcome).toMatchObject({ is: 'stopped', message: 'Two.' });
  expect(second.record.session).toBe(session);
  const [before, after] = [first.record.spent?.costUsd ?? 0, second.record.spent?.costUsd ?? 0];
  expect(second.record.result?.total?.costUsd).toBeCloseTo(before + after, 6);
  const third = await realPass(world.sandbox, { resume: session, compact: true, prompt: 'Keep the plan.' });
  expect(third.outcome).toMatchObject({ is: 'stopped', message: '' });
  expect(third.record.compactions).toBe(1);
});

test('a session that is not there needs a person', async () => {
  const world = await makeWorld(['One.']);
  const { outcome } = await realPass(world.sandbox, { resume: randomUUID() });
  expect(outcome).toMatchObject({
    is: 'fatal',
    kind: 'config',
    why: expect.stringContaining('No conversation'),
  });
});

test('a flag that is not there needs a person', async () => {
  const world = await makeWorld(['One.']);
  const { outcome } = await realPass(world.sandbox, { extra: ['--no-such-flag'] });
  expect(outcome).toMatchObject({
    is: 'fatal',
    kind: 'config',
    why: expect.stringContaining('--no-such-flag'),
  });
});

test('a budget ends the pass', async () => {
  const world = await makeWorld([[{ tool: 'Bash', input: { command: 'ls' } }], 'Never said.']);
  const { outcome, record } = await realPass(world.sandbox, { budgetUsd: 0.0001 });
  expect(outcome).toMatchObject({ is: 'budget' });
  expect(record.spent?.costUsd).toBeGreaterThan(0.0001);
});

test('what nobody allowed is denied at once, and listed', async () => {
  const call = (command: string): Reply => [{ tool: 'Bash', input: { command } }];
  const world = await makeWorld([call('npm --version > v.txt'), call('make > n.txt'), 'Done.']);
  const allowed = { permissionMode: 'acceptEdits', allowedTools: ['Bash(npm *)', 'WebFetch'] };
  const { outcome } = await realPass(world.sandbox, allowed);
  expect(outcome).toMatchObject({
    is: 'stopped',
    denied: [{ tool: 'Bash', summary: 'make > n.txt' }],
  });
  expect([world.sandbox.has('v.txt'), world.sandbox.has('n.txt')]).toEqual([true, false]);
});

describe('nothing is left behind', () => {
  test('by a host that hangs after its result, which has stopped', async () => {
    const world = await makeWorld([SERVER, 'It runs.']);
    const { outcome } = await realPass(world.sandbox);
    expect(outcome).toMatchObject({ is: 'stopped', message: 'It runs.' });
    expect(world.sandbox.processes()).toEqual([]);
  });

  test('by a pass that is silent for too long, whose cost is known all the same', async () => {
    const world = await makeWorld([STUCK]);
    // Long enough for the host to begin, on a busy machine too.
    const limits = { passMs: null, silenceMs: 8_000, hangMs: 2_000 };
    const { outcome, record } = await realPass(world.sandbox, {}, { limits });
    expect(outcome).toMatchObject({ is: 'silent' });
    expect(record.spent?.costUsd).toBeGreaterThan(0);
    expect(world.sandbox.processes()).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('by a host that is killed with a shell behind it', async () => {
    const world = await makeWorld([SERVER, STUCK]);
    const running = realPass(world.sandbox);
    const host = await until(() => hostIn(world), 'the host');
    await until(() => world.sandbox.processes().length >= 5, 'both shells');
    process.kill(host, 'SIGKILL');
    expect((await running).outcome).toMatchObject({ is: 'crashed', signal: 'SIGKILL' });
    expect(world.sandbox.processes()).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('by a driver that is killed with -9', async () => {
    const world = await makeWorld([SERVER, STUCK]);
    const args = [CLI, 'run', 'Write a poem.', '--', '--permission-mode', 'bypassPermissions'];
    const env = { ...world.sandbox.env, DACAPO_CLAUDE: CLAUDE };
    const driver = spawn(process.execPath, args, { cwd: world.sandbox.project, env, stdio: 'ignore' });
    // The driver, its watchdog, the host, and two shells with what they run.
    await until(() => world.sandbox.processes().length >= 7, 'both shells', 30_000);
    driver.kill('SIGKILL');
    await nothingLeft(world);
  });
});

function hostIn({ sandbox }: World): number | undefined {
  return sandbox.processes().find((pid) => commandLineOf(pid).startsWith(CLAUDE));
}
