import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allOf, fromSpec, HookSpecError, maxFiles, tdd, toSpec, when } from '#surfaces/library/index.ts';
import { contextOf, saying } from './given.ts';
import { count, is, name, specs } from './specs.ts';

const contexts = fc.record({
  iteration: count,
  executionPhase: fc.constantFrom('testing', 'design', null),
  filesModified: fc.array(fc.constantFrom('src/a.ts', 'test/a.ts')),
  validationResults: fc.array(fc.record({ ruleName: name, passed: fc.boolean(), message: fc.constant('m') })),
});

describe('hooks as data', () => {
  test('come back as they went, through JSON', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const stored = JSON.stringify(spec);
        expect(toSpec(fromSpec(JSON.parse(stored)))).toStrictEqual(JSON.parse(stored));
      }),
    );
  });

  test('judge as they did before', async () => {
    await fc.assert(
      fc.asyncProperty(specs, contexts, async (spec, over) => {
        const hook = fromSpec(spec);
        const again = fromSpec(toSpec(hook));
        expect(await again(contextOf(over))).toEqual(await hook(contextOf(over)));
      }),
    );
  });

  test('are what chains and conditions of the code are, too', () => {
    expect(toSpec(allOf(tdd(), when({ phase: 'testing' }, maxFiles(3))))).toEqual({
      type: 'all-of',
      hooks: [
        { type: 'tdd' },
        { type: 'when', condition: { phase: 'testing' }, hook: { type: 'max-files', files: 3 } },
      ],
    });
  });

  test('are not what holds code', () => {
    expect(toSpec(saying('complete'))).toBeNull();
    expect(toSpec(allOf(tdd(), saying('complete')))).toBeNull();
    expect(toSpec(when({ phase: 'testing' }, saying('complete')))).toBeNull();
    expect(toSpec(when(() => true, tdd()))).toBeNull();
    expect(toSpec(Object.assign(saying('complete'), { spec: 'something else' }))).toBeNull();
  });

  test('do not change with the object they were read from', async () => {
    const data = { type: 'max-files', files: 1 };
    const hook = fromSpec(data);
    data.files = 100;
    expect((await hook(contextOf({ filesModified: ['a', 'b'] }))).action).toBe('escalate');
    expect(toSpec(hook)).toEqual({ type: 'max-files', files: 1 });
  });
});

describe('data that is wrong', () => {
  test.each<[unknown, string]>([
    [null, 'hook is null. It must be an object with a type.'],
    [[], 'hook is a list. It must be an object with a type.'],
    [{}, 'hook.type is missing. Known types: default, validation, promise, tdd,'],
    [{ type: 'constructor' }, 'hook.type is "constructor", which is not the type of a hook.'],
    [
      { type: 'default', rule: 'x' },
      'hook.rule is not a field of a hook of type default. It has no fields beside its type.',
    ],
    [
      { type: 'max-file', files: 3 },
      'hook.type is "max-file", which is not the type of a hook. Did you mean max-files? Known types: default,',
    ],
    [
      { type: 'max-files', file: 3 },
      'hook.file is not a field of a hook of type max-files. Did you mean files? It has: files.',
    ],
    [{ type: 'max-files' }, 'hook.files is missing. It must be a whole number from 0.'],
    [{ type: 'max-files', files: -1 }, 'hook.files is -1. It must be a whole number from 0.'],
    [{ type: 'checkpoint-every', iterations: 0 }, 'hook.iterations is 0. It must be a whole number from 1.'],
    [
      { type: 'max-iterations', iterations: '5' },
      'hook.iterations is "5". It must be a whole number from 1.',
    ],
    [{ type: 'tdd', rule: '' }, 'hook.rule is "". It must be a text.'],
    [{ type: 'security', rules: [] }, 'hook.rules is empty. It must be a list of texts, and not empty.'],
    [{ type: 'security', rules: ['a', 5] }, 'hook.rules[1] is 5. It must be a text.'],
    [{ type: 'all-of', hooks: [] }, 'hook.hooks is empty. It must be a list of hooks, and not empty.'],
    [
      { type: 'any-of', hooks: [{ type: 'tdd' }, { type: 'when', condition: { phase: 5 }, hook: {} }] },
      'hook.hooks[1].condition.phase is 5. It must be a text.',
    ],
    [
      { type: 'when', condition: {}, hook: { type: 'tdd' } },
      'hook.condition is empty. Give at least one of phase,',
    ],
    [
      { type: 'when', condition: { file: 'some' }, hook: { type: 'tdd' } },
      'hook.condition.file is not a field of a condition. Did you mean files? It has: phase,',
    ],
    [
      { type: 'when', condition: { files: 'many' }, hook: { type: 'tdd' } },
      'hook.condition.files is "many". It must be some or none.',
    ],
    [JSON.parse('{ "type": "tdd", "__proto__": 1 }'), 'hook.__proto__ is not a field of a hook of type tdd.'],
    [{ type: 'tdd', rule: () => 1 }, 'hook.rule is a function. It must be a text.'],
  ])('%j is refused with words', (data, message) => {
    expect(() => fromSpec(data)).toThrow(HookSpecError);
    expect(() => fromSpec(data)).toThrow(message);
  });

  test('that holds itself comes to an end', () => {
    const data: { type: string; hooks: unknown[] } = { type: 'all-of', hooks: [] };
    data.hooks.push(data);
    expect(() => fromSpec(data)).toThrow('is nested too deeply');
  });

  test('is refused with a code, a path and a next step, and with nothing else', () => {
    const chain = fc.record({ type: is('all-of'), hooks: fc.array(fc.anything()) });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), chain), (data) => {
        expect(refusalOf(data)).toEqual({
          code: 'hook-spec',
          path: expect.stringMatching(/^hook/),
          next: expect.stringMatching(/./),
        });
      }),
    );
  });

  test('in code fails where it is written', () => {
    expect(() => maxFiles(-1)).toThrow('hook.files is -1');
    expect(() => tdd({ rule: '' })).toThrow(HookSpecError);
  });
});

function refusalOf(data: unknown): Partial<HookSpecError> | null {
  try {
    fromSpec(data);
    return null;
  } catch (error) {
    if (!(error instanceof HookSpecError)) throw error;
    const { code, path, next } = error;
    return { code, path, next };
  }
}
