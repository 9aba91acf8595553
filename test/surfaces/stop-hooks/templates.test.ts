/** What the templates say beyond the document that they come from. */
import { describe, expect, test } from 'vitest';
import {
  defaultHook,
  security,
  tdd,
  validationHook,
  type ValidationResult,
} from '#surfaces/library/index.ts';
import { contextOf, rule } from './given.ts';

describe('a rule that nothing bears the name of', () => {
  const checked = contextOf({ validationResults: [rule('unit', true), rule('lint', true)] });

  test('is named, with those that there are: no pass of it will ever come', async () => {
    expect(await tdd()(checked)).toMatchObject({
      action: 'continue',
      reason: 'Tests still failing (no validation rule is called tests_pass; there is unit, lint)',
    });
    expect((await security({ rules: ['unit', 'sast', 'audit'] })(checked)).reason).toBe(
      'Vulnerabilities remain (no validation rule is called sast or audit; there is unit, lint)',
    );
  });

  test('is no news where nothing was validated, or where the rule just fails', async () => {
    expect((await tdd()(contextOf())).reason).toBe('Tests still failing');
    const failing = contextOf({ validationResults: [rule('tests_pass', false)] });
    expect((await tdd()(failing)).reason).toBe('Tests still failing');
  });
});

describe('a rule that was not run at this stop', () => {
  const idle = { ...rule('tests_pass', false, 'has not been run yet'), notRun: true };
  const context = (...validationResults: ValidationResult[]) => contextOf({ validationResults });

  test.each([validationHook, defaultHook])(
    'has not failed: the agent is not told to fix it',
    async (hook) => {
      expect(await hook(context(idle, rule('lint', true)))).toEqual({
        action: 'continue',
        reason: '1 of 2 validation rules not run at this stop',
      });
    },
  );

  test('stays out of what the agent has to fix', async () => {
    expect(await validationHook(context(idle, rule('lint', false, 'unused variable')))).toEqual({
      action: 'continue',
      reason: '1 of 2 validation rules fail (1 not run at this stop)',
      nextPrompt: 'These validation rules fail. Fix them:\n- lint: unused variable',
    });
  });

  test('is not a failing test and no vulnerability', async () => {
    expect(await tdd()(context(idle))).toEqual({
      action: 'continue',
      reason: 'The tests were not run at this stop',
    });
    const scan = security({ rules: ['tests_pass', 'sast_clean'] });
    expect(await scan(context(idle, rule('sast_clean', true)))).toEqual({
      action: 'continue',
      reason: 'tests_pass not run at this stop',
    });
    expect(await scan(context(idle, rule('sast_clean', false)))).toMatchObject({
      reason: 'Vulnerabilities remain',
    });
  });

  test('calls nobody at the last iteration, unlike a check that failed', async () => {
    const scan = security({ rules: ['tests_pass'], maxIterations: 1 });
    expect(await scan(context(idle))).toMatchObject({ action: 'continue' });
    expect(await scan(context(rule('tests_pass', false)))).toMatchObject({ action: 'escalate' });
  });
});
