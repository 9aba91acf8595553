/** The library with a real home: each function answers with a value, whatever it is given. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as dacapo from '#surfaces/library/index.ts';

let dir: string;
let project: string;
let env: Record<string, string>;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'dacapo-library-')));
  project = join(dir, 'project');
  mkdirSync(project);
  env = { DACAPO_HOME: join(dir, 'home'), PATH: process.env['PATH'] ?? '' };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function start(over: Partial<dacapo.LoopRequest> = {}): Promise<string> {
  const started = await dacapo.startLoop({ project, prompt: 'Fix it.', env, ...over });
  if (!started.ok) throw new Error(started.message);
  return started.loop.id;
}

describe('a loop', () => {
  it('is started with every field, and says how it stands', async () => {
    writeFileSync(join(project, 'spec.md'), '');
    const id = await start({
      name: 'mending',
      promise: 'ALL GREEN',
      checks: ['test -f a', 'test -f b'],
      protect: ['spec.md'],
      maxIterations: 'unlimited',
      minIterations: 2,
      timeout: '1h30m',
      staleAfter: '3h',
      checkTimeout: '10s',
      checksTimeout: '60s',
      parallel: 2,
      maxCost: 2.5,
      maxTokens: 1_000,
      maxStalls: 'off',
      config: 'none',
      require: 'all',
    });
    const status = await dacapo.loopStatus({ loop: id, env });
    expect(status).toMatchObject({
      ok: true,
      loop: {
        name: 'mending',
        status: 'running',
        max_iterations: null,
        max_cost_usd: 2.5,
        max_tokens: 1_000,
        max_stalls: null,
        gates: [
          { wanted: 'ALL GREEN' },
          { wanted: 'test -f a' },
          { wanted: 'test -f b' },
          { gate: 'protected' },
        ],
      },
    });
    expect(existsSync(join(project, '.claude'))).toBe(false);
  });

  it('in a session of the host has its view, and nobody else speaks for it', async () => {
    const id = await start({ session: 's1' });
    expect(readdirSync(join(project, '.claude'))).toEqual(['ralph-loop.local.md']);
    const claim = { loop: id, summary: 'Done.', env };
    expect(await dacapo.claim(claim)).toMatchObject({ ok: false, code: 'another-session' });
    expect(await dacapo.claim({ ...claim, session: 's2' })).toMatchObject({ code: 'another-session' });
    expect(await dacapo.claim({ ...claim, session: 's1' })).toMatchObject({ recorded: 'said' });
    const second = await dacapo.startLoop({ project, prompt: 'More.', session: 's1', env });
    expect(second).toMatchObject({ ok: false, code: 'session-taken' });
  });

  it('waits for a person who has to confirm it', async () => {
    const id = await start({ approveDone: true, approvalTimeout: '1h', approve: ['Bash(git push *)'] });
    writeFileSync(join(project, 'work'), '');
    const waits = await dacapo.claim({ loop: id, summary: 'Done.', env });
    expect(waits).toMatchObject({ decision: 'allow', asks: 'completion', loop: { status: 'waiting' } });
    expect(await start({ approveDone: false, name: 'other' })).not.toBe(id);
  });

  it('is listed and cancelled', async () => {
    const id = await start();
    const own = await dacapo.listLoops({ project, env });
    expect(own).toMatchObject({ ok: true, loops: [{ id }] });
    expect(await dacapo.listLoops({ project: dir, all: true, env })).toEqual(own);
    expect(await dacapo.cancelLoop({ loop: id, env })).toEqual({ ok: true, cancelled: true });
    expect(await dacapo.cancelLoop({ loop: id, env })).toEqual({ ok: true, cancelled: false });
    expect(await dacapo.endPass({ loop: id, message: 'More.', env })).toMatchObject({ code: 'ended' });
  });

  it('is blocked, and its journal says why', async () => {
    const id = await start();
    await dacapo.note({ loop: id, text: 'No key.', env });
    expect(await dacapo.block({ loop: id, reason: 'No key.', env })).toMatchObject({ decision: 'escalate' });
    const journal = await dacapo.followJournal({ loop: id, after: 2, env });
    const seen: dacapo.JournalEvent['type'][] = [];
    if (journal.ok) for await (const { event } of journal.events) seen.push(event.type);
    expect(seen).toEqual(['noted', 'said', 'stop', 'verdict']);
  });

  it('gives its project and its checks to rules; the home gives more commands', async () => {
    const id = await start({ checks: ['test -f a'] });
    const rules = [
      { name: 'check', type: 'command', command: 'test -f a' },
      { name: 'own', type: 'command', command: 'true' },
      { name: 'file', type: 'file-exists', file: 'a' },
    ] as const;
    writeFileSync(join(project, 'a'), '');
    const states = async () => {
      const run = await dacapo.runValidationRules({ loop: id, rules, env });
      return run.ok ? run.results.map(({ state }) => state) : run.code;
    };
    expect(await states()).toEqual(['passed', 'not-run', 'passed']);
    writeFileSync(join(dir, 'home', 'config.json'), '{"rules":{"commands":["true"]}}');
    expect(await states()).toEqual(['passed', 'passed', 'passed']);
    writeFileSync(join(dir, 'home', 'config.json'), 'nonsense');
    expect(await states()).toBe('bad-config');
  });
});

describe('bad input is refused, and nothing is made', () => {
  const calls: readonly (readonly [string, (bad: never) => Promise<object>])[] = [
    ['startLoop', dacapo.startLoop],
    ['loopStatus', dacapo.loopStatus],
    ['listLoops', dacapo.listLoops],
    ['cancelLoop', dacapo.cancelLoop],
    ['claim', dacapo.claim],
    ['block', dacapo.block],
    ['endPass', dacapo.endPass],
    ['note', dacapo.note],
    ['runValidationRules', dacapo.runValidationRules],
    ['followJournal', dacapo.followJournal],
    ['pushFrame', dacapo.pushFrame],
  ];
  const bad: readonly unknown[] = [
    null,
    1,
    'text',
    [],
    { loop: 1, prompt: 1, all: 1, rules: 1 },
    { lop: 'x' },
  ];

  it.each(calls)('%s', async (_, call) => {
    for (const request of bad) {
      const answer = await Reflect.apply(call, undefined, [request]);
      expect(answer).toMatchObject({ ok: false, code: expect.stringMatching(/^bad-/) });
    }
    expect(existsSync(join(dir, 'home'))).toBe(false);
  });

  it('what is misspelt is named', async () => {
    const request = { project, prompt: 'Fix it.', env, check: ['true'] };
    expect(await dacapo.startLoop(request)).toMatchObject({
      code: 'bad-request',
      next: expect.stringMatching(/^Did you mean checks\?/),
    });
  });

  it.each([
    [{ prompt: ' ' }, 'no-prompt'],
    [{ maxIterations: -1 }, 'bad-number'],
    [{ timeout: 'soon' }, 'bad-duration'],
    [{ session: '../s1' }, 'no-session-id'],
    [{ project: '/no/such/folder' }, 'no-project'],
  ])('%j: %s', async (over, code) => {
    expect(await dacapo.startLoop({ project, prompt: 'Fix it.', env, ...over })).toMatchObject({
      ok: false,
      code,
    });
    expect(await dacapo.listLoops({ all: true, env })).toEqual({ ok: true, loops: [] });
  });

  it('evaluatePromises', async () => {
    expect(await dacapo.evaluatePromises('<promise>COMPLETE</promise>')).toMatchObject({
      ok: true,
      promises: [{ detected: true }, { detected: false }, { detected: false }],
    });
    expect(await Reflect.apply(dacapo.evaluatePromises, undefined, [null])).toMatchObject({ ok: false });
  });

  it('a home that can not be written to', async () => {
    writeFileSync(join(dir, 'home'), 'a file');
    expect(await dacapo.startLoop({ project, prompt: 'Fix it.', env })).toMatchObject({
      ok: false,
      code: 'failed',
    });
  });
});

it('a field for every flag that fits', async () => {
  const { flagsIn } = await import('#input/flag.ts');
  const { LOOP_FLAGS } = await import('#input/loop-flags.ts');
  const { fieldOf } = await import('#input/arguments.ts');
  const { FRAME, WHOLE } = await import('#surfaces/library/loops.ts');
  // The session decides how a loop is shown, and pushFrame nests.
  const others = ['nest', 'mode', 'view', 'vault'];
  const { prompt: _, ...fields } = { ...FRAME, ...WHOLE };
  expect(new Set([...Object.keys(fields), ...others])).toEqual(
    new Set(flagsIn(LOOP_FLAGS).map(({ flag }) => fieldOf(flag))),
  );
});
