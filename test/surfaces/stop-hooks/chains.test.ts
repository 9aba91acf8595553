import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  abstain,
  allOf,
  anyOf,
  checkpointEvery,
  createRegistry,
  maxFiles,
  maxIterations,
  promiseHook,
  tdd,
  validationHook,
  when,
  type ConditionSpec,
  type StopHook,
} from '#surfaces/library/index.ts';
import { contextOf, promise, rule, saying } from './given.ts';

describe('allOf and anyOf', () => {
  const actions = ['complete', 'continue', 'escalate', 'abstain'] as const;
  type Voice = (typeof actions)[number];
  const hookOf = (voice: Voice): StopHook => (voice === 'abstain' ? () => abstain('aside') : saying(voice));
  const voices = fc.array(fc.constantFrom(...actions), { minLength: 1, maxLength: 6 });
  const verdict = async (hook: StopHook): Promise<Voice> => {
    const { action, metadata } = await hook(contextOf());
    return metadata?.['abstained'] === true ? 'abstain' : action;
  };
  const chains = [
    ['allOf', allOf, ['escalate', 'continue', 'complete', 'abstain']],
    ['anyOf', anyOf, ['escalate', 'complete', 'continue', 'abstain']],
  ] as const;

  describe.each(chains)('%s', (_, chain, strongestFirst) => {
    test('has the verdict of its strongest hook, in whatever order they stand', async () => {
      await fc.assert(
        fc.asyncProperty(voices, async (said) => {
          const strongest = strongestFirst.find((voice) => said.includes(voice));
          expect(await verdict(chain(...said.map(hookOf)))).toBe(strongest);
        }),
      );
    });

    test('is what it is, however it is nested', async () => {
      await fc.assert(
        fc.asyncProperty(voices, voices, async (one, two) => {
          const nested = chain(chain(...one.map(hookOf)), chain(...two.map(hookOf)));
          expect(await verdict(nested)).toBe(await verdict(chain(...[...one, ...two].map(hookOf))));
        }),
      );
    });

    test('of one hook is that hook', async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...actions), async (voice) => {
          expect(await chain(hookOf(voice))(contextOf())).toEqual(await hookOf(voice)(contextOf()));
        }),
      );
    });

    test('of none can not be made', () => {
      expect(() => chain()).toThrow('needs at least one hook');
    });

    test('ends at a veto', async () => {
      const asked: string[] = [];
      const noting = (name: string, hook: StopHook): StopHook => {
        return (context) => {
          asked.push(name);
          return hook(context);
        };
      };
      await chain(
        noting('first', saying('complete')),
        noting('second', saying('escalate')),
        noting('third', saying('complete')),
      )(contextOf());
      expect(asked).toEqual(['first', 'second']);
    });

    test('escalates when one of its hooks throws', async () => {
      const { registerStopHook, evaluate } = createRegistry();
      registerStopHook(
        { taskId: 'TASK-abc123' },
        chain(saying('complete'), () => {
          throw new Error('broken');
        }),
      );
      expect(await evaluate(contextOf())).toMatchObject({
        action: 'escalate',
        reason: 'Hook evaluation failed: broken',
      });
    });
  });

  test('the agent hears all that is missing at once', async () => {
    const context = contextOf({ validationResults: [rule('lint', false, 'unused variable')] });
    expect(await allOf(tdd(), promiseHook, validationHook)(context)).toEqual({
      action: 'continue',
      reason:
        'Tests still failing (no validation rule is called tests_pass; there is lint); No completion promise detected; 1 of 1 validation rules fail',
      nextPrompt:
        'Fix failing tests and run again\n\nThese validation rules fail. Fix them:\n- lint: unused variable',
    });
  });

  test('a claim counts only with its proof', async () => {
    const done = allOf(promiseHook, validationHook);
    const claimed = { completionPromises: [promise('COMPLETE')] };
    expect((await done(contextOf({ ...claimed, validationResults: [rule('r', false)] }))).action).toBe(
      'continue',
    );
    expect((await done(contextOf({ ...claimed, validationResults: [rule('r', true)] }))).action).toBe(
      'complete',
    );
  });

  test('what only watches does not hold up the others, and its checkpoint is kept', async () => {
    const hook = allOf(tdd(), maxFiles(2), maxIterations(5), checkpointEvery(2));
    const passing = { validationResults: [rule('tests_pass', true)] };
    expect(await hook(contextOf({ ...passing, iteration: 4 }))).toEqual({
      action: 'complete',
      reason: 'All tests pass',
      checkpointData: { executionPhase: 'checkpoint', executionStep: 4 },
    });
    expect(await hook(contextOf({ ...passing, filesModified: ['a', 'b', 'c'] }))).toMatchObject({
      action: 'escalate',
      reason: '3 files modified in one iteration, at most 2 allowed',
    });
    expect(await hook(contextOf({ ...passing, iteration: 6 }))).toMatchObject({
      action: 'escalate',
      reason: 'Too many iterations - may need different approach',
    });
  });

  test('of several checkpoints and metadata the later fills in and replaces', async () => {
    const one = saying('continue', {
      checkpointData: { executionPhase: 'a', executionStep: 1, agentContext: { x: 1, y: 1 } },
      metadata: { m: 1, n: 1 },
    });
    const two = saying('continue', {
      checkpointData: { executionPhase: 'b', agentContext: { y: 2 } },
      metadata: { n: 2 },
    });
    expect(await allOf(one, two)(contextOf())).toMatchObject({
      checkpointData: { executionPhase: 'b', executionStep: 1, agentContext: { x: 1, y: 2 } },
      metadata: { m: 1, n: 2 },
    });
  });

  test('no hook sees what another did to its context', async () => {
    const greedy: StopHook = (context) => {
      context.filesModified.push('a', 'b', 'c');
      return saying('complete')();
    };
    expect((await allOf(greedy, maxFiles(2))(contextOf())).action).toBe('complete');
  });
});

describe('when', () => {
  const context = contextOf({
    iteration: 5,
    executionPhase: 'testing',
    filesModified: ['src/auth/login.ts'],
    validationResults: [rule('good', true), rule('bad', false)],
    completionPromises: [promise('BLOCKED')],
  });
  const isActive = async (condition: ConditionSpec) =>
    (await when(condition, saying('complete'))(context)).action === 'complete';

  test.each<[ConditionSpec, ConditionSpec]>([
    [{ phase: 'testing' }, { phase: 'design' }],
    [{ fromIteration: 5 }, { fromIteration: 6 }],
    [{ untilIteration: 5 }, { untilIteration: 4 }],
    [{ files: 'some' }, { files: 'none' }],
    [{ under: 'src/auth/' }, { under: 'src/db/' }],
    [{ passing: 'good' }, { passing: 'bad' }],
    [{ failing: 'bad' }, { failing: 'good' }],
    [{ failing: 'not tested' }, { passing: 'not tested' }],
    [{ promise: 'BLOCKED' }, { promise: 'COMPLETE' }],
    [
      { phase: 'testing', fromIteration: 2, untilIteration: 8 },
      { phase: 'testing', fromIteration: 2, untilIteration: 3 },
    ],
  ])('holds for %j and not for %j', async (yes, no) => {
    expect(await isActive(yes)).toBe(true);
    expect(await isActive(no)).toBe(false);
  });

  test('takes code as well, also code that waits', async () => {
    const hook = when(async ({ iteration }) => Promise.resolve(iteration > 3), saying('complete'));
    expect((await hook(context)).action).toBe('complete');
    expect(await hook(contextOf())).toEqual(abstain('The condition of this hook does not hold'));
  });

  test('a condition that throws escalates', async () => {
    const { registerStopHook, evaluate } = createRegistry();
    const broken = () => {
      throw new Error('no idea');
    };
    registerStopHook({ taskId: 'TASK-abc123' }, when(broken, saying('complete')));
    expect(await evaluate(contextOf())).toMatchObject({ action: 'escalate', metadata: { error: 'no idea' } });
  });
});
