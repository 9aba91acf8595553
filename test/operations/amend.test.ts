/** What a person changes about a loop that has begun: checks, promise, limits. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { checksOf, promiseOf } from '../../src/core/gates.ts';
import { topFrame } from '../../src/core/loop.ts';
import { amend, type AmendOrder } from '../../src/operations/steer/amend.ts';
import { report } from '../../src/text/report.ts';
import { DONE, Stage, toAgent } from '../hearing/stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});

const NO_LIMITS = { iterations: undefined, timeMs: undefined, costUsd: undefined, tokens: undefined };

function change(over: Partial<AmendOrder>): ReturnType<typeof amend> {
  const order = {
    by: 'terminal',
    checks: [],
    removeChecks: [],
    promise: undefined,
    limits: NO_LIMITS,
  } as const;
  return amend({ ...order, id: undefined, root: stage.project, ...over }, stage.runtime());
}

function commands(): string[] {
  return checksOf(topFrame(stage.loop())).map(({ command }) => command);
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
    expect(promiseOf(topFrame(stage.loop()))).toBe('COMPLETE');
    await stage.stop(DONE);
    expect(stage.status()).toBe('completed');
  });

  it('has given no promise that it was not asked for', async () => {
    const gates = () => report(stage.loop(), stage.runtime().now()).gates;
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
      stage.loop().frames.map(({ gates }) => gates.filter(({ kind }) => kind === 'check').length),
    ).toEqual([1, 1]);
    expect((await stage.stop('<issue-complete>DONE</issue-complete>')).is).toBe('continue');
    writeFileSync(join(stage.project, 'a'), '');
    await stage.stop('Now.\n\n<issue-complete>DONE</issue-complete>');
    expect(topFrame(stage.loop())).toMatchObject({ item: { n: 2 } });
    expect(commands()).toEqual(['test -f a']);
  });
});

describe('a loop that ended because its check could not be run', () => {
  it('gets another check, and goes on with it when it is resumed', async () => {
    await stage.start('Fix. --check "./nothing-there"');
    await stage.stop();
    expect(stage.status()).toBe('escalated');
    expect(change({ checks: ['test -f a'], removeChecks: ['./nothing-there'] })).toMatchObject({ ok: true });
    expect(stage.status()).toBe('escalated');
    expect(commands()).toEqual(['test -f a']);
  });

  it('takes new limits with dacapo resume only', async () => {
    await stage.start('Fix. --check "./nothing-there"');
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
