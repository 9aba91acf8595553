/** What a person changes about a loop that has begun: checks, measures, promise, limits. */
import { framesOf } from '#law/loop.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checksOf, promiseOf } from '#law/gates.ts';
import { amend, amendHere, NO_AMENDMENT, type AmendOrder } from '#engine/steer/amend.ts';
import { amendmentIn } from '#surfaces/cli/steer/verbs.ts';
import { AMEND_FLAGS } from '#input/limit-flags.ts';
import { readAllFlags } from '#input/words.ts';
import { sayEvent } from '#telling/event.ts';
import { statusOf } from '#telling/loop-status.ts';
import { DONE, Stage, toAgent } from '../hearing/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const NO_LIMITS = { iterations: undefined, timeMs: undefined, costUsd: undefined, tokens: undefined };

function change(over: Partial<AmendOrder>): ReturnType<typeof amend> {
  const order = {
    ...NO_AMENDMENT,
    by: 'terminal',
    limits: NO_LIMITS,
  } as const;
  return amend({ ...order, id: undefined, root: stage.project, ...over }, stage.runtime());
}

function commands(): string[] {
  return checksOf(stage.loop().frame).map(({ command }) => command);
}

describe('a loop that runs', () => {
  it('gets other checks, and its next stop is judged by them', async () => {
    await stage.start('Fix. --check "exit 3" --check "test -f a"');
    expect(change({ checks: ['test -f b'], removeChecks: ['exit 3'] })).toMatchObject({ ok: true });
    expect(commands()).toEqual(['test -f a', 'test -f b']);
    writeFileSync(join(stage.project, 'a'), '');
    expect(toAgent(await stage.stop())).toContain('check `test -f b` failed');
    writeFileSync(join(stage.project, 'b'), '');
    await stage.stop('Now.');
    expect(stage.status()).toBe('completed');
  });

  it('asks for the promise once the last check is gone', async () => {
    await stage.start('Fix. --check "exit 3"');
    change({ removeChecks: ['exit 3'] });
    expect(promiseOf(stage.loop().frame)).toBe('COMPLETE');
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });

  it('has given no promise that it was not asked for', async () => {
    const gates = () => statusOf(stage.loop(), stage.runtime().now()).gates;
    await stage.start('Fix. --check "exit 3"');
    await stage.stop('Hm.');
    change({ removeChecks: ['exit 3'] });
    expect(gates()).toMatchObject([{ gate: 'promise', wanted: 'COMPLETE', holds: null }]);
    await stage.stop('Hm.');
    expect(gates()).toMatchObject([{ holds: false }]);
    change({ promise: 'OTHER' });
    expect(gates()).toMatchObject([{ gate: 'promise', wanted: 'OTHER', holds: null }]);
  });

  it('gets another promise and other limits, and the view shows them', async () => {
    await stage.start('Fix. --completion-promise OLD');
    const limits = { iterations: 7, timeMs: 60_000, costUsd: 2, tokens: 1_000 };
    expect(change({ promise: 'NEW', limits })).toMatchObject({
      ok: true,
      loop: { limits: { timeMs: 60_000, costUsd: 2 } },
    });
    expect(stage.loop()).toMatchObject({ limits: { timeMs: 60_000, costUsd: 2, tokens: 1_000 } });
    expect(stage.view()).toMatch(/max_iterations: 7\ncompletion_promise: "?NEW"?\n/);
    change({ limits: { ...NO_LIMITS, iterations: null } });
    expect(stage.view()).toContain('max_iterations: unlimited');
  });

  it('a list of items: the item at work and those after it get the check', async () => {
    writeFileSync(join(stage.project, 'todo.md'), '- [ ] one\n- [ ] two\n');
    await stage.start('Do it. --items todo.md');
    change({ checks: ['test -f a'] });
    expect(
      framesOf(stage.loop()).map(({ gates }) => gates.filter(({ kind }) => kind === 'check').length),
    ).toEqual([1, 1]);
    expect((await stage.stop('<issue-complete>DONE</issue-complete>')).is).toBe('continue');
    writeFileSync(join(stage.project, 'a'), '');
    await stage.stop('Now.\n\n<issue-complete>DONE</issue-complete>');
    expect(stage.loop().frame).toMatchObject({ item: { n: 2 } });
    expect(commands()).toEqual(['test -f a']);
  });
});

describe('a loop that ended because its check could not be run', () => {
  it('gets another check, and goes on with it when it is resumed', async () => {
    await stage.start('Fix. --check "./nothing-there" --check-later');
    await stage.stop();
    expect(stage.status()).toBe('escalated');
    expect(change({ checks: ['test -f a'], removeChecks: ['./nothing-there'] })).toMatchObject({ ok: true });
    expect(stage.status()).toBe('escalated');
    expect(commands()).toEqual(['test -f a']);
  });

  it('takes new limits with dacapo resume only', async () => {
    await stage.start('Fix. --check "./nothing-there" --check-later');
    await stage.stop();
    expect(change({ limits: { ...NO_LIMITS, iterations: 9 } })).toMatchObject({ ok: false, code: 'ended' });
  });
});

describe('is refused', () => {
  it('to agents', async () => {
    await stage.start('Fix. --check "exit 3"');
    stage.env = { CLAUDECODE: '1' };
    expect(change({ removeChecks: ['exit 3'] })).toMatchObject({ ok: false, code: 'people-only' });
    expect(commands()).toEqual(['exit 3']);
  });

  it('for a check that the loop does not have, a program that is nowhere, and nothing at all', async () => {
    expect(change({ checks: ['true'] })).toMatchObject({ ok: false, code: 'none-to-amend' });
    await stage.start('Fix. --check "exit 3"');
    expect(change({ removeChecks: ['exit 4'] })).toMatchObject({
      ok: false,
      code: 'no-check',
      next: 'It has: "exit 3".',
    });
    stage.env = { PATH: process.env['PATH'] ?? '' };
    expect(change({ checks: ['nmp test'] })).toMatchObject({ ok: false, code: 'no-program' });
    expect(change({})).toMatchObject({ ok: false, code: 'nothing-to-amend' });
  });

  it('for a limit that leaves nothing, and a loop that is completed', async () => {
    await stage.start('Fix.');
    await stage.stop();
    expect(change({ limits: { ...NO_LIMITS, iterations: 1 } })).toMatchObject({ ok: false, code: 'used-up' });
    await stage.stop(DONE);
    expect(change({ checks: ['true'] })).toMatchObject({ ok: false, code: 'completed' });
  });
});

describe('measures', () => {
  const put = (file: string, content: string) => writeFileSync(join(stage.project, file), content);
  const measures = () => stage.loop().frame.measures;
  const seen = () => statusOf(stage.loop(), stage.now()).gates.find(({ gate }) => gate === 'measures')?.seen;
  async function amended(flags: Readonly<Record<string, readonly string[]>>, env = {}) {
    const given = readAllFlags(AMEND_FLAGS, new Map(Object.entries(flags)));
    if (!given.ok) return given;
    const order = {
      ...amendmentIn(given.value),
      by: 'terminal',
      id: undefined,
      root: stage.project,
    } as const;
    const runtime = stage.runtime();
    return amendHere(order, { ...runtime, env: { ...runtime.env, ...env } });
  }

  it('are added with their value now, kept, and judged at the next stop', async () => {
    put('tests.txt', '5');
    await stage.start('Fix. --check "test -f a"');
    expect(await amended({ '--measure': ['tests=cat tests.txt'], '--keep': ['tests'] })).toMatchObject({
      ok: true,
    });
    expect(seen()).toBe('tests is 5 (5 when it was added, goal >= 5)');
    put('a', '');
    put('tests.txt', '4');
    expect(toAgent(await stage.stop())).toContain('tests is 4 (5 when it was added, goal >= 5)');
    put('tests.txt', '5');
    await stage.stop('Now.');
    expect(stage.status()).toBe('completed');
    const event = stage.journal().find(({ type }) => type === 'amended');
    expect(event && sayEvent(event)).toContain('the measures are now tests >= 5');
  });

  it('a target that is open when it is added is news by itself once it is reached', async () => {
    put('n.txt', '3');
    await stage.start('Fix. --check true');
    await amended({ '--measure': ['failures=cat n.txt'], '--target': ['failures<=0'] });
    expect(promiseOf(stage.loop().frame)).toBeNull();
    put('n.txt', '0');
    await stage.stop('Now.');
    expect(stage.status()).toBe('completed');
  });

  it('get other goals, another command, or none, and no earlier point is the best any more', async () => {
    put('n.txt', '5');
    await stage.start('Fix. --measure "n=cat n.txt" --target "n<=0" --measure "m=echo 1"');
    put('n.txt', '3');
    await stage.stop();
    expect(stage.loop().circuit.trend?.best).toMatchObject({ iteration: 1 });
    await amended({ '--target': ['n<=2', 'm>=1'] });
    expect(measures()).toMatchObject([
      { name: 'n', begun: 5, goals: [{ is: '<=', bound: 2 }] },
      { name: 'm', goals: [{ is: '>=', bound: 1 }] },
    ]);
    expect(stage.loop().circuit.trend?.best).toBeNull();
    expect(seen()).toBe('n is 5 (5 at the start, goal <= 2); m is 1 (1 at the start, goal >= 1, met)');
    await amended({ '--remove-goal': ['m'], '--measure': ['n=echo 9'] });
    expect(measures()).toMatchObject([
      { name: 'n', command: 'echo 9', begun: 9, added: true, goals: [{ is: '<=', bound: 2 }] },
      { name: 'm', goals: [] },
    ]);
    await amended({ '--remove-measure': ['n', 'm'] });
    expect(measures()).toEqual([]);
    expect(stage.loop().frame.gates.map(({ kind }) => kind)).toEqual([]);
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });

  it('of a list hold for the item at work and for the next ones', async () => {
    put('todo.md', '- [ ] one\n- [ ] two\n');
    await stage.start('Do it. --items todo.md');
    await amended({ '--measure': ['n=echo 1'], '--target': ['n>=2'] });
    expect(framesOf(stage.loop()).map((frame) => frame.measures?.length)).toEqual([1, 1]);
  });

  it('of a loop elsewhere are not taken, so a first value is not known', async () => {
    await stage.start('Fix. --check "test -f a"');
    const given = { measures: [{ name: 'n', command: 'echo 1' }] };
    expect(change({ ...given, keep: ['n'] })).toMatchObject({
      code: 'bad-measure',
      next: 'Give the number: --target "n>=NUMBER".',
    });
    change({ ...given, targets: [{ name: 'n', is: '>=', bound: 1 }] });
    expect(seen()).toBe('n was not measured');
    put('a', '');
    await stage.stop();
    expect(seen()).toBe('n is 1 (goal >= 1)');
    expect(stage.status()).toBe('completed');
  });

  it.each([
    [{ '--remove-measure': ['m'] }, 'No measure has the name m.'],
    [{ '--keep': ['m'] }, 'No measure has the name m.'],
    [{ '--measure': ['m=exit 3'] }, 'The measure m could not be taken: its command failed with exit code 3.'],
    [{ '--measure': ['m=no-such-program-here'] }, "can't run: there is no program no-such-program-here"],
    [{ '--target': ['n'] }, '--target takes a measure and the number that it has to reach, not "n".'],
  ])('%j is refused, and nothing is written', async (flags, why) => {
    await stage.start('Fix. --measure "n=echo 1"');
    const before = stage.journal().length;
    expect(await amended(flags, { PATH: process.env['PATH'] })).toMatchObject({
      ok: false,
      message: expect.stringContaining(why),
    });
    expect(stage.journal()).toHaveLength(before);
  });

  it('are not taken for an agent', async () => {
    await stage.start('Fix. --check "test -f a"');
    expect(await amended({ '--measure': ['n=touch ran; echo 1'] }, { CLAUDECODE: '1' })).toMatchObject({
      ok: false,
    });
    expect(existsSync(join(stage.project, 'ran'))).toBe(false);
  });

  it('end a request to accept what no gate could show', async () => {
    await stage.start('Write it well.');
    await stage.stop('<promise>UNVERIFIABLE: nobody counts words</promise>');
    expect(stage.status()).toBe('waiting');
    await amended({ '--measure': ['words=echo 3'], '--target': ['words>=5'] });
    expect(stage.status()).toBe('running');
  });
});
