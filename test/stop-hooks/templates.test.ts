/** What the templates say beyond the document that they come from. */
import { describe, expect, test } from 'vitest';
import { security, tdd } from '../../src/index.ts';
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
