/** Any hook as data, for tests that hold for all of them. */
import fc from 'fast-check';
import type { HookSpec } from '#surfaces/library/index.ts';

export const count = fc.integer({ min: 1, max: 20 });
export const name = fc.constantFrom('tests_pass', 'lint', 'e2e');
const condition = fc
  .record(
    {
      phase: fc.constantFrom('testing', 'design'),
      fromIteration: count,
      untilIteration: count,
      files: fc.constantFrom('some' as const, 'none' as const),
      under: fc.constantFrom('src/', 'test/'),
      passing: name,
      failing: name,
      promise: fc.constantFrom('COMPLETE' as const, 'BLOCKED' as const, 'ESCALATE' as const),
    },
    { requiredKeys: [] },
  )
  .filter((fields) => Object.keys(fields).length > 0);

export const is = <const T extends string>(type: T) => fc.constant(type);
export const specs = fc.letrec<{ spec: HookSpec }>((tie) => ({
  spec: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ type: fc.constantFrom('default' as const, 'validation' as const, 'promise' as const) }),
    fc.record({ type: is('tdd'), rule: name }, { requiredKeys: ['type'] }),
    fc.record(
      { type: is('security'), rules: fc.array(name, { minLength: 1 }), maxIterations: count },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: is('checkpoint-every'), iterations: count, phase: name },
      { requiredKeys: ['type', 'iterations'] },
    ),
    fc.record(
      { type: is('checkpoint-at'), iteration: count, phase: name, milestone: name },
      { requiredKeys: ['type', 'iteration'] },
    ),
    fc.record(
      { type: is('real-work'), except: fc.array(name, { minLength: 1 }) },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: is('max-files'), files: fc.nat(20) }),
    fc.record({ type: is('max-iterations'), iterations: count }),
    fc.record({
      type: fc.constantFrom('all-of' as const, 'any-of' as const),
      hooks: fc.array(tie('spec'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ type: is('when'), condition, hook: tie('spec') }),
  ),
})).spec;
