// A record that can't be opened for a moment is not "no such loop": it is said, and nothing changes.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { continues, type Environment } from '../programs/program.ts';
import { attackWorld, type AttackWorld } from './world.ts';

const SHIM = resolve(import.meta.dirname, 'fs-errors.mjs');
const READING = ['EACCES', 'EMFILE', 'EIO'] as const;
const PLACES = {
  'the journal': 'journal\\.jsonl$',
  "the session's entry": '/sessions/[^/]+$',
  'the id of this machine': '/machine$',
} as const;

function failing(code: string, at: string): Partial<Environment> {
  return { NODE_OPTIONS: `--import=${SHIM}`, FS_ERROR: code, FS_AT: at };
}

async function loopWithoutView(gate = '--completion-promise COMPLETE'): Promise<AttackWorld> {
  // What meets no error needs no process: only the environment of one makes errors.
  const world = attackWorld({ here: true });
  await world.ralph(`Fix it ${gate} --view none --max-stalls off`);
  expect(world.status()).toBe('running');
  return world;
}

const entries = ({ home }: AttackWorld) => readdirSync(join(home, 'sessions'));

describe('the hook', () => {
  for (const [what, at] of Object.entries(PLACES))
    it.each(READING)(`says that ${what} can't be opened (%s), and goes on afterwards`, async (code) => {
      const world = await loopWithoutView();
      const answer = await world.stop('one', failing(code, at));
      expect(answer?.systemMessage).toMatch(new RegExp(`failed: ${code}`));
      expect(entries(world)).toHaveLength(1);
      expect(continues(await world.stop('two'))).toBe(true);
      expect(world.program.passes()).toBe(1);
    });

  it.each(['EROFS', 'ENOSPC'])(
    'says that nothing can be written (%s), and goes on afterwards',
    async (code) => {
      const world = await loopWithoutView();
      const answer = await world.stop('one', failing(code, 'journal\\.jsonl$'));
      expect(answer?.systemMessage).toMatch(new RegExp(`failed: ${code}`));
      expect(continues(await world.stop('two'))).toBe(true);
      expect(world.program.passes()).toBe(1);
    },
  );

  it.each(READING)('says so to a prompt and to a session that comes back (%s)', async (code) => {
    const world = await loopWithoutView();
    const { program } = world;
    for (const payload of [
      program.payload('UserPromptSubmit', { prompt: 'Hello' }),
      program.payload('SessionStart', { source: 'resume' }),
      program.command('dacapo:ralph-status'),
    ])
      expect(JSON.stringify(await world.hook(payload, failing(code, PLACES['the journal'])))).toContain(code);
    expect(continues(await world.stop())).toBe(true);
  });

  it.each(READING)('the guard says that it could not look (%s)', async (code) => {
    const world = await loopWithoutView();
    const { program } = world;
    const use = program.payload('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } });
    for (const at of [PLACES['the journal'], PLACES["the session's entry"]])
      expect((await world.hook(use, failing(code, at)))?.systemMessage).toContain(code);
  });
});

describe('on a full disk', () => {
  const full = failing('ENOSPC', '/dacapo/');

  it('a loop that was asked for is not there, and says why', async () => {
    const world = attackWorld();
    const command = world.program.command('dacapo:ralph', 'Fix it --check false --view none');
    const answer = await world.hook(command, full);
    expect(JSON.stringify(answer)).toContain('ENOSPC');
    expect(world.dacapo(['list'])).toMatchObject({ code: 0, stdout: expect.stringContaining('No loops') });
    expect(await world.stop('one', full)).toBeNull();
  });

  it('a stop passes, and the next one with space goes on where the loop was', async () => {
    const world = await loopWithoutView('--check false');
    const answer = await world.stop('one', full);
    expect(continues(answer)).toBe(false);
    expect(answer?.systemMessage).toContain('ENOSPC');
    expect(continues(await world.stop('two'))).toBe(true);
    expect(world.program.passes()).toBe(1);
  });

  it('looks work, and what would change a loop says why it does not', async () => {
    const world = await loopWithoutView();
    for (const words of [['status'], ['list'], ['logs']])
      expect(world.dacapo(words, full)).toMatchObject({ code: 0, stderr: '' });
    for (const words of [['cancel'], ['pause'], ['steer', 'Faster.']]) {
      const refused = world.dacapo(words, full);
      expect({ words, code: refused.code }).toEqual({ words, code: 1 });
      expect(refused.stderr).toContain('ENOSPC');
    }
    expect(world.status()).toBe('running');
  });
});

describe('the command line', () => {
  const COMMANDS = [
    ['status'],
    ['list'],
    ['list', '--all'],
    ['cancel'],
    ['cancel', '--all'],
    ['pause'],
    ['logs'],
  ];

  it.each(READING)('%s at the journal: every command exits 1 with the reason', async (code) => {
    const world = await loopWithoutView();
    for (const words of COMMANDS) {
      const ran = world.dacapo(words, failing(code, PLACES['the journal']));
      expect({ words, code: ran.code, stdout: ran.stdout }).toEqual({ words, code: 1, stdout: '' });
      expect(ran.stderr).toContain(code);
    }
    expect(world.status()).toBe('running');
  });

  it.each(READING)('%s at the folder of loops: no command says that there are none', async (code) => {
    const world = await loopWithoutView();
    for (const words of [['status'], ['list'], ['cancel']]) {
      const ran = world.dacapo(words, failing(code, '/loops$'));
      expect({ words, code: ran.code, stdout: ran.stdout }).toEqual({ words, code: 1, stdout: '' });
    }
  });

  it('on a disk that can only be read, looks work and a cancel says why it does not', async () => {
    const world = await loopWithoutView();
    const readOnly = failing('EROFS', '/loops/');
    expect(world.dacapo(['status'], readOnly)).toMatchObject({ code: 0, stderr: '' });
    expect(world.dacapo(['list'], readOnly)).toMatchObject({ code: 0, stderr: '' });
    const cancelled = world.dacapo(['cancel'], readOnly);
    expect(cancelled.code).toBe(1);
    expect(cancelled.stderr).toContain('EROFS');
    expect(world.status()).toBe('running');
  });
});

it('a check that no process can be had for is told, and the loop waits for its person', async () => {
  const world = await loopWithoutView('--check false');
  const answer = await world.stop('one', failing('EMFILE', 'spawn'));
  expect(answer?.systemMessage).toContain('EMFILE');
  expect(world.status()).toBe('escalated');
});
