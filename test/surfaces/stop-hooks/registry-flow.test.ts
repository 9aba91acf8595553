// The document "Stop Hook System", section by section. Its examples are taken over as they stand there,
// except that most tests give its functions a registry of their own.

import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  abstain,
  allOf,
  anyOf,
  checkpointAt,
  createRegistry,
  fromSpec,
  security,
  tdd,
  toSpec,
  when,
} from '#surfaces/library/index.ts';
import * as oneForAll from '#surfaces/stop-hooks/index.ts';
import { createPromiseHook, registerStopHook } from '#surfaces/stop-hooks/index.ts';
import type {
  AgentContext,
  CheckpointData,
  CompletionPromise,
  StopHook,
  StopHookResult,
  ValidationResult,
  WorkProductType,
} from '#surfaces/library/index.ts';
import { contextOf, fixedRegistry, promise, rule, saying } from './given.ts';

const taskId = 'TASK-abc123';

describe('Hook Lifecycle', () => {
  test('registration, evaluation, action, cleanup', async () => {
    const { createDefaultHook, evaluate, clear, list } = createRegistry();
    const hookId = createDefaultHook(taskId);
    const evaluation = await evaluate(contextOf({ completionPromises: [promise('COMPLETE')] }));
    expect(evaluation).toMatchObject({ hookId, action: 'complete' });
    expect(clear(taskId)).toBe(1);
    expect(list(taskId)).toEqual([]);
  });
});

describe('Custom Hooks, imported as the document does', () => {
  test('the functions of one registry are exports of dacapo/stop-hooks', async () => {
    const first = createPromiseHook('TASK-one');
    const second = registerStopHook({ taskId: 'TASK-one' }, (context) =>
      context.filesModified.length === 0
        ? { action: 'continue', reason: 'No files modified yet' }
        : { action: 'complete', reason: 'Custom completion criteria met' },
    );
    expect(oneForAll.list('TASK-one').map(({ id }) => id)).toEqual([first, second]);
    const context = contextOf({ taskId: 'TASK-one', filesModified: [] });
    expect(await oneForAll.evaluate(context)).toMatchObject({ action: 'continue', hookId: second });
    expect(oneForAll.clear('TASK-one')).toBe(2);
  });

  test('all of them', () => {
    expect(Object.keys(oneForAll).toSorted()).toEqual(Object.keys(createRegistry()).toSorted());
  });
});

describe('Types', () => {
  test('AgentContext', () => {
    expectTypeOf<AgentContext>().toEqualTypeOf<{
      taskId: string;
      iteration: number;
      executionPhase: string | null;
      filesModified: string[];
      validationResults: ValidationResult[];
      completionPromises: CompletionPromise[];
      agentOutput?: string;
      draftContent?: string;
      draftType?: WorkProductType;
    }>();
    expectTypeOf<'implementation'>().toExtend<WorkProductType>();
    expectTypeOf<Pick<ValidationResult, 'ruleName' | 'passed'>>().toEqualTypeOf<{
      ruleName: string;
      passed: boolean;
    }>();
  });

  test('StopHookResult', () => {
    expectTypeOf<StopHookResult>().toEqualTypeOf<{
      action: 'complete' | 'continue' | 'escalate';
      reason: string;
      nextPrompt?: string;
      checkpointData?: CheckpointData;
      metadata?: Record<string, unknown>;
    }>();
  });

  test('CompletionPromise', () => {
    expectTypeOf<CompletionPromise>().toEqualTypeOf<{
      type: 'COMPLETE' | 'BLOCKED' | 'ESCALATE';
      detected: boolean;
      content: string;
      detectedAt?: string;
    }>();
  });
});

describe('MCP Tools: what they stand on', () => {
  test('hook_register: an id with the time and chance in it, enabled, with its metadata', () => {
    const { createDefaultHook, get } = fixedRegistry();
    const hookId = createDefaultHook(taskId, { metadata: { description: 'Optional metadata' } });
    expect(hookId).toBe('HOOK-1735567890-012345');
    expect(get(hookId)).toMatchObject({
      id: hookId,
      taskId,
      enabled: true,
      metadata: { description: 'Optional metadata', type: 'default' },
    });
  });

  test('hook_evaluate: the verdict, whose it is, and for what', async () => {
    const { createDefaultHook, evaluate } = fixedRegistry();
    createDefaultHook(taskId);
    const evaluation = await evaluate(
      contextOf({
        iteration: 3,
        agentOutput: 'Implementation complete. <promise>COMPLETE</promise>',
        filesModified: ['src/auth.ts', 'tests/auth.test.ts'],
        draftContent: '// Implementation code...',
        draftType: 'implementation',
        completionPromises: [promise('COMPLETE')],
      }),
    );
    expect(evaluation).toMatchObject({
      hookId: 'HOOK-1735567890-012345',
      taskId: 'TASK-abc123',
      iteration: 3,
      action: 'complete',
      reason: 'Agent signaled completion via <promise>COMPLETE</promise>',
    });
    expect(evaluation).not.toHaveProperty('nextPrompt');
    expect(evaluation.checkpoints).toEqual([]);
  });

  test('hook_list: id, enabled and metadata', () => {
    const { createDefaultHook, registerStopHook, list } = fixedRegistry();
    const first = createDefaultHook(taskId);
    const second = registerStopHook(
      { taskId, enabled: false, metadata: { type: 'custom' } },
      saying('complete'),
    );
    registerStopHook({ taskId: 'TASK-other' }, saying('complete'));
    expect(list(taskId)).toEqual([
      { id: first, enabled: true, metadata: { type: 'default' } },
      { id: second, enabled: false, metadata: { type: 'custom' } },
    ]);
  });

  test('hook_clear: how many there were, and of this task only', () => {
    const { createDefaultHook, createPromiseHook, clear, list } = createRegistry();
    createDefaultHook(taskId);
    createPromiseHook(taskId);
    createPromiseHook('TASK-other');
    expect(clear(taskId)).toBe(2);
    expect(clear(taskId)).toBe(0);
    expect(list('TASK-other')).toHaveLength(1);
  });
});

describe('Preset Hook Factories', () => {
  const FAILING = [rule('tests_pass', false, '2 tests failed'), rule('lint_clean', true)];
  const PASSING = [rule('tests_pass', true), rule('lint_clean', true)];
  const ALL = [promise('BLOCKED'), promise('ESCALATE'), promise('COMPLETE')];

  type Preset = 'createDefaultHook' | 'createValidationHook' | 'createPromiseHook';
  async function judge(preset: Preset, context: Partial<AgentContext>) {
    const registry = createRegistry();
    registry[preset](taskId);
    const { action, reason, nextPrompt } = await registry.evaluate(contextOf(context));
    return { action, reason, nextPrompt };
  }

  describe.each(['createDefaultHook', 'createPromiseHook'] as const)('%s on promises', (preset) => {
    test.each([
      ['COMPLETE', 'complete'],
      ['ESCALATE', 'escalate'],
      ['BLOCKED', 'escalate'],
    ] as const)('<promise>%s</promise> → %s', async (type, action) => {
      const verdict = await judge(preset, {
        completionPromises: [promise(type)],
        validationResults: FAILING,
      });
      expect(verdict).toMatchObject({ action, nextPrompt: undefined });
      expect(verdict.reason).toContain(`<promise>${type}</promise>`);
    });

    test('COMPLETE before ESCALATE before BLOCKED, in whatever order they stand', async () => {
      expect((await judge(preset, { completionPromises: ALL })).reason).toContain('COMPLETE');
      expect((await judge(preset, { completionPromises: ALL.slice(0, 2) })).reason).toContain('ESCALATE');
    });

    test('a promise that was not detected is none', async () => {
      const verdict = await judge(preset, { completionPromises: [promise('COMPLETE', false)] });
      expect(verdict.action).toBe('continue');
    });
  });

  test('createPromiseHook: no promise detected → continue, whatever was validated', async () => {
    expect(await judge('createPromiseHook', { validationResults: PASSING })).toEqual({
      action: 'continue',
      reason: 'No completion promise detected',
    });
  });

  describe.each(['createDefaultHook', 'createValidationHook'] as const)('%s on validation', (preset) => {
    test('all rules pass → complete', async () => {
      expect(await judge(preset, { validationResults: PASSING })).toEqual({
        action: 'complete',
        reason: 'All validation rules pass',
      });
    });

    test('some rules fail → continue with failure feedback', async () => {
      expect(await judge(preset, { validationResults: FAILING })).toEqual({
        action: 'continue',
        reason: '1 of 2 validation rules fail',
        nextPrompt: 'These validation rules fail. Fix them:\n- tests_pass: 2 tests failed',
      });
    });

    test('feedback is bounded', async () => {
      const many = Array.from({ length: 500 }, (_, n) => rule(`rule-${n}`, false, '😀'.repeat(5_000)));
      const { nextPrompt = '' } = await judge(preset, { validationResults: many });
      expect(nextPrompt.length).toBeLessThan(6_000);
      expect(nextPrompt).toContain('- and 490 more');
      // Cut in the middle of a character it would be refused by a model's API.
      expect(() => encodeURIComponent(nextPrompt)).not.toThrow();
    });
  });

  test('createValidationHook: no rules → continue, whatever was promised', async () => {
    expect(await judge('createValidationHook', { completionPromises: ALL })).toEqual({
      action: 'continue',
      reason: 'No validation rules',
    });
  });

  test('createDefaultHook: otherwise → continue', async () => {
    expect(await judge('createDefaultHook', {})).toEqual({
      action: 'continue',
      reason: 'Iteration in progress',
    });
  });
});

describe('Custom Hooks', () => {
  test('with arbitrary logic', async () => {
    const { registerStopHook, evaluate } = createRegistry();
    registerStopHook({ taskId: 'TASK-abc123' }, (context) => {
      if (context.iteration > 10) {
        return {
          action: 'escalate',
          reason: 'Too many iterations - may need different approach',
        };
      }
      if (context.filesModified.length === 0) {
        return {
          action: 'continue',
          reason: 'No files modified yet',
        };
      }
      return {
        action: 'complete',
        reason: 'Custom completion criteria met',
      };
    });
    expect(await evaluate(contextOf({ iteration: 11 }))).toMatchObject({ action: 'escalate' });
    expect(await evaluate(contextOf())).toMatchObject({ reason: 'No files modified yet' });
    expect(await evaluate(contextOf({ filesModified: ['a.ts'] }))).toMatchObject({ action: 'complete' });
  });

  test('with a promise of a result', async () => {
    const { registerStopHook, evaluate } = createRegistry();
    registerStopHook({ taskId }, async () => Promise.resolve(saying('complete')()));
    expect(await evaluate(contextOf())).toMatchObject({ action: 'complete' });
  });

  test('with an id of its own, which nobody else has', () => {
    const { registerStopHook, list } = createRegistry();
    expect(registerStopHook({ taskId, hookId: 'mine' }, saying('continue'))).toBe('mine');
    expect(() => registerStopHook({ taskId, hookId: 'mine' }, saying('continue'))).toThrow('already');
    // @ts-expect-error What plain JavaScript may do.
    expect(() => registerStopHook({ taskId }, undefined)).toThrow('is not a function');
    expect(list(taskId)).toHaveLength(1);
  });
});

describe('Integration with Iteration Tools', () => {
  test('the typical flow: continue, continue, complete', async () => {
    const { createDefaultHook, evaluate, clear } = createRegistry();
    createDefaultHook(taskId);
    const passes = [
      { validationResults: [rule('tests_pass', false)] },
      { validationResults: [] },
      { completionPromises: [promise('COMPLETE')] },
    ];
    const actions: string[] = [];
    for (const [index, pass] of passes.entries()) {
      actions.push((await evaluate(contextOf({ iteration: index + 1, ...pass }))).action);
    }
    expect(actions).toEqual(['continue', 'continue', 'complete']);
    expect(clear(taskId)).toBe(1);
  });
});

describe('Hook Evaluation Order', () => {
  test('the first complete or escalate stops evaluation', async () => {
    const { createValidationHook, createPromiseHook, createDefaultHook, evaluate } = createRegistry();
    const first = createValidationHook(taskId);
    const second = createPromiseHook(taskId);
    const third = createDefaultHook(taskId);
    const evaluation = await evaluate(
      contextOf({ validationResults: [rule('r', true)], completionPromises: [promise('ESCALATE')] }),
    );
    expect(evaluation).toMatchObject({ hookId: first, action: 'complete' });
    expect(evaluation.account).toMatchObject([
      { hookId: first, is: 'answered' },
      { hookId: second, is: 'not-reached' },
      { hookId: third, is: 'not-reached' },
    ]);
  });

  test('if all continue, the last result is used', async () => {
    const { registerStopHook, evaluate } = createRegistry();
    registerStopHook({ taskId }, saying('continue', { nextPrompt: 'first' }));
    const hookId = registerStopHook({ taskId }, saying('continue', { nextPrompt: 'last' }));
    expect(await evaluate(contextOf())).toMatchObject({ hookId, action: 'continue', nextPrompt: 'last' });
  });

  test('a hook that is enabled again keeps its place', async () => {
    const { registerStopHook, evaluate, disable, enable } = createRegistry();
    const first = registerStopHook({ taskId }, saying('complete'));
    const second = registerStopHook({ taskId }, saying('escalate'));
    expect(disable(first)).toBe(true);
    expect(await evaluate(contextOf())).toMatchObject({ hookId: second });
    expect(enable(first)).toBe(true);
    expect(await evaluate(contextOf())).toMatchObject({ hookId: first });
  });

  test('nextPrompt, checkpointData and metadata are carried', async () => {
    const { registerStopHook, evaluate } = createRegistry();
    const carried = {
      nextPrompt: 'Next',
      checkpointData: { executionPhase: 'p', executionStep: 2 },
      metadata: { key: [1] },
    };
    registerStopHook({ taskId }, saying('escalate', carried));
    expect(await evaluate(contextOf())).toMatchObject(carried);
  });

  test('checkpoints of all hooks that were asked are kept, whoever decides', async () => {
    const { registerStopHook, evaluate } = createRegistry();
    const data = { executionPhase: 'midpoint' };
    const hookId = registerStopHook({ taskId }, saying('continue', { checkpointData: data }));
    registerStopHook({ taskId }, saying('complete'));
    expect((await evaluate(contextOf())).checkpoints).toEqual([{ hookId, data }]);
  });
});

describe('Safety and Error Handling', () => {
  test.each<[string, StopHook]>([
    [
      'throws',
      () => {
        throw new Error('no such file');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('no such file'))],
  ])('Hook Failures: one that %s escalates', async (_, hook) => {
    const { registerStopHook, evaluate } = createRegistry();
    const hookId = registerStopHook({ taskId }, hook);
    registerStopHook({ taskId }, saying('complete'));
    expect(await evaluate(contextOf())).toMatchObject({
      hookId,
      action: 'escalate',
      reason: 'Hook evaluation failed: no such file',
      metadata: { error: 'no such file' },
      account: [{ is: 'failed', error: 'no such file' }, { is: 'not-reached' }],
    });
  });

  test('No Hooks Registered', async () => {
    expect(await createRegistry().evaluate(contextOf())).toMatchObject({
      hookId: 'default',
      action: 'continue',
      reason: 'No hooks registered for this task',
      account: [],
    });
  });

  test('Hook Disabled: it is skipped', async () => {
    const { registerStopHook, evaluate, disable } = createRegistry();
    const first = registerStopHook({ taskId }, saying('continue'));
    const last = registerStopHook({ taskId }, saying('escalate'));
    disable(last);
    expect(await evaluate(contextOf())).toMatchObject({ hookId: first, action: 'continue' });
    disable(first);
    expect(await evaluate(contextOf())).toMatchObject({
      hookId: 'default',
      action: 'continue',
      reason: 'All hooks registered for this task are disabled',
    });
  });
});

describe('Performance Considerations', () => {
  test('Session-Scoped Storage: two registries know nothing of each other', () => {
    const one = createRegistry();
    one.createDefaultHook(taskId);
    expect(createRegistry().list(taskId)).toEqual([]);
  });
});

describe('Common Patterns', () => {
  test('TDD Loop Hook, as it stands in the document and as a template', async () => {
    const pattern: StopHook = (context) => {
      const testsPass = context.validationResults.find((r) => r.ruleName === 'tests_pass')?.passed;
      if (testsPass) {
        return {
          action: 'complete',
          reason: 'All tests pass',
        };
      }
      return {
        action: 'continue',
        reason: 'Tests still failing',
        nextPrompt: 'Fix failing tests and run again',
      };
    };
    for (const validationResults of [[], [rule('tests_pass', false)], [rule('tests_pass', true)]]) {
      const context = contextOf({ validationResults });
      expect(await tdd()(context)).toEqual(await pattern(context));
    }
  });

  test('Security Remediation Hook, as it stands in the document and as a template', async () => {
    const pattern: StopHook = (context) => {
      const vulnsFixed = context.validationResults.find((r) => r.ruleName === 'vulns_fixed')?.passed;
      const scanClean = context.validationResults.find((r) => r.ruleName === 'sast_clean')?.passed;
      if (vulnsFixed && scanClean) {
        return {
          action: 'complete',
          reason: 'All vulnerabilities remediated',
        };
      }
      if (context.iteration >= 10) {
        return {
          action: 'escalate',
          reason: 'Max iterations reached - complex vulnerabilities may require manual review',
        };
      }
      return {
        action: 'continue',
        reason: 'Vulnerabilities remain',
      };
    };
    for (const iteration of [1, 9, 10, 11]) {
      for (const fixed of [true, false]) {
        for (const clean of [true, false]) {
          const validationResults = [rule('vulns_fixed', fixed), rule('sast_clean', clean)];
          const context = contextOf({ iteration, validationResults });
          expect(await security()(context)).toEqual(await pattern(context));
        }
      }
    }
  });

  test('Checkpoint Creation Hook, as it stands in the document and as a template', async () => {
    const pattern: StopHook = (context) => {
      // Create checkpoint before risky operation
      if (context.iteration === 5) {
        return {
          action: 'continue',
          reason: 'Halfway checkpoint',
          checkpointData: {
            executionPhase: 'midpoint',
            executionStep: context.iteration,
            agentContext: {
              milestone: 'halfway',
            },
          },
        };
      }
      return {
        action: 'continue',
        reason: 'Iteration in progress',
      };
    };
    for (const iteration of [4, 5, 6]) {
      const { metadata, ...said } = await checkpointAt(5)(contextOf({ iteration }));
      expect(said).toEqual(await pattern(contextOf({ iteration })));
      // The one difference: in company it does not hold up the others.
      expect(metadata).toEqual({ abstained: true });
    }
  });
});

describe('Testing: what its suite covers', () => {
  test('Hook registration and retrieval', () => {
    const { registerStopHook, get } = createRegistry();
    const hook = saying('complete');
    const id = registerStopHook({ taskId, metadata: { a: 1 } }, hook);
    expect(get(id)).toEqual({ id, taskId, enabled: true, metadata: { a: 1 }, hook });
    expect(get('none')).toBeUndefined();
  });

  test('Hook unregistration and cleanup', () => {
    const { createDefaultHook, unregister, enable, disable, get } = createRegistry();
    const id = createDefaultHook(taskId);
    expect(unregister(id)).toBe(true);
    expect(get(id)).toBeUndefined();
    expect([unregister(id), enable(id), disable(id)]).toEqual([false, false, false]);
  });
});

describe('Future Enhancements', () => {
  test('1. Persistent Hooks: stored as data, and restored in another registry', async () => {
    const before = fixedRegistry();
    before.createDefaultHook(taskId, { hookId: 'a', metadata: { why: 'x' } });
    before.registerStopHook({ taskId, hookId: 'code' }, saying('complete'));
    before.registerStopHook({ taskId, hookId: 'b', enabled: false }, allOf(tdd(), security()));
    const file = JSON.stringify(before.save(taskId));

    const after = createRegistry();
    expect(after.restore(JSON.parse(file))).toEqual(['a', 'b']);
    expect(after.list(taskId)).toEqual([
      { id: 'a', enabled: true, metadata: { why: 'x', type: 'default' } },
      { id: 'b', enabled: false, metadata: {} },
    ]);
    const done = contextOf({ completionPromises: [promise('COMPLETE')] });
    expect(await after.evaluate(done)).toMatchObject({ hookId: 'a', action: 'complete' });
    expect(after.save(taskId)).toEqual(JSON.parse(file));
  });

  test('1. Persistent Hooks: all of them, or none', () => {
    const { createDefaultHook, save, restore, list } = createRegistry();
    createDefaultHook(taskId, { hookId: 'a' });
    const [a] = save(taskId);
    expect(() => restore([{ ...a, id: 'b' }, a])).toThrow('There is a stop hook a already');
    expect(() =>
      restore([
        { ...a, id: 'b' },
        { ...a, id: 'b' },
      ]),
    ).toThrow('There is a stop hook b already');
    expect(() =>
      restore([
        { ...a, id: 'b' },
        { ...a, id: 'c', spec: { type: 'tddd' } },
      ]),
    ).toThrow('hooks[1].spec.type is "tddd"');
    expect(() => restore({})).toThrow('hooks is an object. It must be a list of saved hooks.');
    expect(list(taskId)).toHaveLength(1);
  });

  test('2. Hook Templates: by name, from a file', async () => {
    const hook = fromSpec(JSON.parse('{ "type": "tdd", "rule": "unit" }'));
    expect(await hook(contextOf({ validationResults: [rule('unit', true)] }))).toMatchObject({
      action: 'complete',
    });
    expect(toSpec(hook)).toEqual({ type: 'tdd', rule: 'unit' });
  });

  test('3. Hook Chaining: with AND and OR', async () => {
    const hooks = [tdd({ rule: 'unit' }), tdd({ rule: 'e2e' })];
    const context = contextOf({ validationResults: [rule('unit', true)] });
    expect(await allOf(...hooks)(context)).toMatchObject({ action: 'continue' });
    expect(await anyOf(...hooks)(context)).toMatchObject({ action: 'complete' });
  });

  test('4. Hook Metrics: decision rates and accuracy', async () => {
    let time = 0;
    const { registerStopHook, evaluate, metrics, confirm } = createRegistry({ now: () => time });
    const id = registerStopHook({ taskId }, ({ iteration }) => {
      time += iteration * 10;
      if (iteration === 4) throw new Error('broken');
      return saying(iteration === 3 ? 'complete' : 'continue')();
    });
    for (const iteration of [1, 2, 3, 4]) await evaluate(contextOf({ iteration }));
    expect(metrics(id)).toEqual({
      asked: 4,
      verdicts: { complete: 1, continue: 2, escalate: 1 },
      abstained: 0,
      failed: 1,
      timedOut: 0,
      totalMs: 100,
      longestMs: 40,
      right: 0,
      wrong: 0,
      accuracy: null,
    });
    for (const wasRight of [true, true, false, true]) expect(confirm(id, wasRight)).toBe(true);
    expect(metrics(id)).toMatchObject({ right: 3, wrong: 1, accuracy: 0.75 });
    expect(confirm('none', true)).toBe(false);
    expect(metrics('none')).toBeUndefined();
  });

  test('5. Hook Debugging: an account of every evaluation', async () => {
    let time = 0;
    const { registerStopHook, createDefaultHook, evaluate } = createRegistry({ now: () => time });
    const slow = registerStopHook({ taskId }, () => {
      time += 7;
      return saying('continue', { nextPrompt: 'Go on' })();
    });
    const off = registerStopHook({ taskId, enabled: false }, saying('complete'));
    const aside = registerStopHook({ taskId }, () => abstain('not mine'));
    const broken = registerStopHook({ taskId }, () => {
      throw new Error('broken');
    });
    const never = createDefaultHook(taskId);
    const { account } = await evaluate(contextOf());
    expect(account).toEqual([
      {
        hookId: slow,
        is: 'answered',
        result: { action: 'continue', reason: 'it says continue', nextPrompt: 'Go on' },
        ms: 7,
        error: null,
      },
      { hookId: off, is: 'disabled' },
      { hookId: aside, is: 'abstained', result: abstain('not mine'), ms: 0, error: null },
      {
        hookId: broken,
        is: 'failed',
        result: {
          action: 'escalate',
          reason: 'Hook evaluation failed: broken',
          metadata: { error: 'broken' },
        },
        ms: 0,
        error: 'broken',
      },
      { hookId: never, is: 'not-reached' },
    ]);
    expect(JSON.parse(JSON.stringify(account))).toEqual(account);
  });

  test('6. Conditional Hooks: active only under certain conditions', async () => {
    const { registerStopHook, createValidationHook, evaluate } = createRegistry();
    const always = createValidationHook(taskId);
    const testing = registerStopHook({ taskId }, when({ phase: 'testing' }, saying('escalate')));
    const context = contextOf({ validationResults: [rule('r', false)] });
    // It is not even the last `continue`: the feedback of the other hook stands.
    const evaluation = await evaluate(context);
    expect(evaluation).toMatchObject({ hookId: always, reason: '1 of 1 validation rules fail' });
    expect(evaluation.account).toMatchObject([{ is: 'answered' }, { is: 'abstained' }]);
    expect(await evaluate({ ...context, executionPhase: 'testing' })).toMatchObject({ hookId: testing });
  });
});

describe('what plain JavaScript may pass', () => {
  const complete = () => ({ action: 'complete' as const, reason: 'x' });
  const anything = (value: unknown) => value as never;

  test('a registration without a task, or with an empty id, is refused: it would be a guard that is none', () => {
    const { registerStopHook } = createRegistry();
    expect(() => registerStopHook(anything({ task: 'T' }), complete)).toThrow(/taskId .* but is undefined/);
    expect(() => registerStopHook({ taskId: '' }, complete)).toThrow(/taskId/);
    expect(() => registerStopHook({ taskId: 'T', hookId: '' }, complete)).toThrow(/hookId/);
  });

  test('a time limit that is not a time is refused', () => {
    for (const timeoutMs of [Number.NaN, 0, -1])
      expect(() => createRegistry({ timeoutMs })).toThrow(RangeError);
  });

  test('no context is a verdict, not a rejection', async () => {
    expect(await createRegistry().evaluate(anything(undefined))).toMatchObject({ action: 'escalate' });
  });
});
