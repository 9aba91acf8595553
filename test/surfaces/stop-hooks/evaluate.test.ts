import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  abstain,
  createRegistry,
  maxFiles,
  tdd,
  type StopHook,
  type StopHookResult,
} from '#surfaces/library/index.ts';
import { contextOf, fixedRegistry, saying } from './given.ts';

const taskId = 'TASK-abc123';

describe('a hook that never ends', () => {
  afterEach(() => vi.useRealTimers());

  test('escalates when its time is over, and what it says later is not heard', async () => {
    let ring = () => {};
    const { registerStopHook, evaluate, metrics } = createRegistry({
      timeoutMs: 1_500,
      after: (ms, callBack) => {
        expect(ms).toBe(1_500);
        ring = callBack;
        return () => {};
      },
    });
    let fail = (_: Error) => {};
    const id = registerStopHook({ taskId }, () => new Promise((_, reject) => (fail = reject)));
    registerStopHook({ taskId }, saying('complete'));
    const evaluating = evaluate(contextOf());
    ring();
    expect(await evaluating).toMatchObject({
      hookId: id,
      action: 'escalate',
      reason: 'Hook evaluation failed: no answer within 1.5 s',
      account: [{ is: 'timed-out', error: 'no answer within 1.5 s' }, { is: 'not-reached' }],
    });
    expect(metrics(id)).toMatchObject({ asked: 1, timedOut: 1, verdicts: { escalate: 1 } });
    // An unhandled rejection would end the process.
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('has a minute by default', async () => {
    vi.useFakeTimers();
    const { registerStopHook, evaluate } = createRegistry();
    registerStopHook({ taskId }, () => new Promise(() => {}));
    const evaluating = evaluate(contextOf());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await evaluating).toMatchObject({
      action: 'escalate',
      account: [{ is: 'timed-out', ms: 60_000 }],
    });
  });

  test('may have all the time in the world', async () => {
    const { registerStopHook, evaluate } = createRegistry({ timeoutMs: Infinity });
    registerStopHook({ taskId }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return saying('complete')();
    });
    expect(await evaluate(contextOf())).toMatchObject({ action: 'complete' });
  });

  test('leaves no timer behind when it ends', async () => {
    vi.useFakeTimers();
    const { registerStopHook, evaluate } = createRegistry();
    registerStopHook({ taskId }, saying('continue'));
    registerStopHook({ taskId }, () => Promise.reject(new Error('broken')));
    await evaluate(contextOf());
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a hook in plain JavaScript', () => {
  /** What the types forbid. */
  const returning = (value: unknown) => (() => value) as StopHook;

  test.each([
    [undefined, 'a stop hook must return a result, but returned undefined'],
    [true, 'a stop hook must return a result, but returned true'],
    [['complete'], 'a stop hook must return a result, but returned a list'],
    [
      { action: 'done', reason: '' },
      'the action of a stop hook must be complete, continue or escalate, but is "done"',
    ],
    [{ action: 'complete' }, 'the reason of a stop hook must be a text, but is undefined'],
    [
      { action: 'continue', reason: '', nextPrompt: {} },
      'the nextPrompt of a stop hook must be a text, but is an object',
    ],
    [
      { action: 'continue', reason: '', checkpointData: 3 },
      'the checkpointData of a stop hook must be an object, but is 3',
    ],
    [
      { action: 'continue', reason: '', metadata: 'x'.repeat(200) },
      `the metadata of a stop hook must be an object, but is "${'x'.repeat(78)}…`,
    ],
  ])('that returns %j escalates', async (value, error) => {
    const { registerStopHook, evaluate } = createRegistry();
    registerStopHook({ taskId }, returning(value));
    expect(await evaluate(contextOf())).toMatchObject({ action: 'escalate', metadata: { error } });
  });

  test('may say null for what it does not say, and more than we know', async () => {
    const { registerStopHook, evaluate } = createRegistry();
    const answer = {
      action: 'continue',
      reason: 'r',
      nextPrompt: null,
      checkpointData: null,
      metadata: null,
      mood: 1,
    };
    registerStopHook({ taskId }, returning(answer));
    const { account } = await evaluate(contextOf());
    expect(account).toMatchObject([{ is: 'answered', result: { action: 'continue', reason: 'r' } }]);
    expect(Object.keys(account[0] && 'result' in account[0] ? account[0].result : {})).toEqual([
      'action',
      'reason',
    ]);
  });

  test.each([
    ['a text', 'oops', 'oops'],
    ['an error without words', new RangeError(), 'RangeError'],
    ['nothing', undefined, 'undefined'],
    ['what has no text', Object.create(null), 'it threw something that has no text'],
  ])('that throws %s escalates', async (_, thrown: unknown, error) => {
    const { registerStopHook, evaluate } = createRegistry();
    registerStopHook({ taskId }, () => {
      throw thrown;
    });
    expect(await evaluate(contextOf())).toMatchObject({ action: 'escalate', metadata: { error } });
  });

  test('can change its context for nobody but itself', async () => {
    const { registerStopHook, evaluate } = createRegistry();
    registerStopHook({ taskId }, (context) => {
      context.filesModified.push('a', 'b', 'c');
      context.validationResults.push({ ruleName: 'tests_pass', passed: true, message: '' });
      context.iteration = 99;
      return saying('continue')();
    });
    registerStopHook({ taskId }, maxFiles(2));
    registerStopHook({ taskId }, tdd());
    const context = contextOf();
    expect(await evaluate(context)).toMatchObject({ action: 'continue', iteration: 1 });
    expect(context).toEqual(contextOf());
  });

  test('can unregister itself', async () => {
    const { registerStopHook, unregister, evaluate, list } = createRegistry();
    const id: string = registerStopHook({ taskId }, () => {
      unregister(id);
      return saying('complete')();
    });
    expect(await evaluate(contextOf())).toMatchObject({ hookId: id, action: 'complete' });
    expect(list(taskId)).toEqual([]);
  });
});

describe('ids', () => {
  test('differ, even when chance draws the same again and again', () => {
    const { createDefaultHook } = fixedRegistry({ random: () => 0.5 });
    const ids = Array.from({ length: 50 }, () => createDefaultHook(taskId));
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^HOOK-1735567890-[0-9a-z]{6,}$/);
  });

  test('are drawn from the clock and from chance by default', () => {
    expect(createRegistry().createDefaultHook(taskId)).toMatch(/^HOOK-\d{10}-[0-9a-z]{6}$/);
  });
});

describe('the order', () => {
  const voice = fc.record({
    says: fc.constantFrom('complete', 'continue', 'escalate', 'abstain', 'throw'),
    enabled: fc.boolean(),
  });
  type Voice = { says: 'complete' | 'continue' | 'escalate' | 'abstain' | 'throw'; enabled: boolean };

  const hookOf = ({ says }: Voice): StopHook =>
    says === 'throw'
      ? () => {
          throw new Error('broken');
        }
      : says === 'abstain'
        ? () => abstain('aside')
        : saying(says);

  /** The rule, written a second time and in another way. */
  function expected(voices: readonly Voice[]): { index: number; action: StopHookResult['action'] } | null {
    const heard = voices.map((one, index) => ({ ...one, index })).filter(({ enabled }) => enabled);
    const terminal = heard.find(({ says }) => says !== 'continue' && says !== 'abstain');
    if (terminal)
      return { index: terminal.index, action: terminal.says === 'complete' ? 'complete' : 'escalate' };
    const last = heard.filter(({ says }) => says === 'continue').at(-1) ?? heard.at(-1);
    return last ? { index: last.index, action: 'continue' } : null;
  }

  test('is that of registration: the first terminal verdict, else the last continue', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(voice, { maxLength: 8 }), async (voices) => {
        const { registerStopHook, evaluate, metrics } = createRegistry();
        const ids = voices.map((one) => registerStopHook({ taskId, enabled: one.enabled }, hookOf(one)));
        const evaluation = await evaluate(contextOf());
        const want = expected(voices);
        expect(evaluation.hookId).toBe(want ? ids[want.index] : 'default');
        expect(evaluation.action).toBe(want ? want.action : 'continue');
        expect(evaluation.account.map(({ hookId }) => hookId)).toEqual(ids);
        for (const [index, one] of evaluation.account.entries()) {
          const reached = want === null || want.action === 'continue' || index <= want.index;
          expect('result' in one).toBe(voices[index]?.enabled === true && reached);
          const { asked = NaN, verdicts } = metrics(one.hookId) ?? {};
          expect(asked).toBe('result' in one ? 1 : 0);
          expect(Object.values(verdicts ?? {}).reduce((sum, n) => sum + n, 0)).toBe(asked);
        }
      }),
    );
  });

  test('survives any sequence of registering, unregistering, enabling and disabling', () => {
    const step = fc.record({
      act: fc.constantFrom('register', 'unregister', 'enable', 'disable'),
      nth: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const registry = fixedRegistry();
        let model: { id: string; enabled: boolean; metadata: object }[] = [];
        for (const { act, nth } of steps) {
          const id = model[nth]?.id ?? 'none';
          if (act === 'register') {
            const made = registry.registerStopHook({ taskId }, saying('continue'));
            model.push({ id: made, enabled: true, metadata: {} });
            continue;
          }
          expect(registry[act](id)).toBe(id !== 'none');
          model =
            act === 'unregister'
              ? model.filter((one) => one.id !== id)
              : model.map((one) => (one.id === id ? { ...one, enabled: act === 'enable' } : one));
        }
        expect(registry.list(taskId)).toEqual(model);
      }),
    );
  });
});
