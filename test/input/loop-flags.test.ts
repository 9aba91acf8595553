/** Flags of the start command: what a refusal says, and what is only right with something else. */
import { describe, expect, it } from 'vitest';
import { parseStart } from '#input/arguments.ts';

const HOUR = 3_600_000;

function refused(line: string): string {
  const request = parseStart(`fix it ${line}`);
  return request.ok ? 'granted' : request.message;
}

describe('a refusal', () => {
  it.each([
    ['--max-iterations x', '--max-iterations takes a whole number above zero, not "x".'],
    ['--max-iterations 3x', '--max-iterations takes a whole number above zero, not "3x".'],
    ['--max-iterations x3', '--max-iterations takes a whole number above zero, not "x3".'],
    ['--parallel 3x', '--parallel takes a whole number above zero, not "3x".'],
    ['--parallel 1e1', '--parallel takes a whole number above zero, not "1e1".'],
    ['--items todo.md --max-items 1001', '--max-items takes at most 1000.'],
    ['--items todo.md --max-items 1000', 'granted'],
    ['--max-cost x', '--max-cost takes an amount of US dollars above zero, not "x".'],
    ['--max-cost 1000001', '--max-cost takes an amount of US dollars above zero, not "1000001".'],
    ['--max-cost 1000000', 'granted'],
    ['--max-tokens x', '--max-tokens takes a number of tokens above zero, not "x".'],
    ['--max-tokens x5k', '--max-tokens takes a number of tokens above zero, not "x5k".'],
    ['--max-stalls 1', '--max-stalls takes a whole number of at least 2, not "1".'],
    ['--max-stalls 3x', '--max-stalls takes a whole number of at least 2, not "3x".'],
    ['--max-stalls x3', '--max-stalls takes a whole number of at least 2, not "x3".'],
    ['--max-stalls 12', 'granted'],
    ['--features ""', '--features takes a path, not "".'],
    ['--require one', '--require takes all or any, not "one".'],
    ['--view html', '--view takes markdown, progress, vault, stack or none, not "html".'],
    ['--completion-promise ""', '--completion-promise is empty.'],
    [`--completion-promise ${'x'.repeat(301)}`, '--completion-promise is longer than 300 characters.'],
    [`--completion-promise ${'x'.repeat(300)}`, 'granted'],
    [
      '--completion-promise "<b>"',
      '--completion-promise contains markup, which can’t be told from the tags around it.',
    ],
    [
      '--completion-promise=x\\',
      '--completion-promise ends with a backslash, which would escape the tag after it.',
    ],
    [
      '--completion-promise "a\u0007b"',
      '--completion-promise contains a control character, which no agent writes.',
    ],
    ['--check ""', '--check is empty.'],
    ['--timeout x', '--timeout takes a duration above zero and up to a year, not "x".'],
    ['--timeout x5', '--timeout takes a duration above zero and up to a year, not "x5".'],
    ['--timeout 8761h', '--timeout takes a duration above zero and up to a year, not "8761h".'],
    ['--timeout 8760h', 'granted'],
    ['--frame-mode x', '--frame-mode is not a flag of this command; the nearest one is --mode.'],
    ['--name ""', '--name takes one line of 1 to 80 characters.'],
    [`--name ${'n'.repeat(80)}`, 'granted'],
    [`--name ${'n'.repeat(81)}`, '--name takes one line of 1 to 80 characters.'],
    ['--check "npm test', '--check opens a quote that is not closed.'],
    ['--check "npm "x" test"', '--check has a quote inside its value.'],
    ['--check "npm"test --name "x"', '--check has a quote inside its value.'],
    ['--watch-file a', '--watch-file is given without --done-folder.'],
    ['--done-folder a', '--done-folder is given without --watch-file.'],
    ['--view none --vault v', "--view none can't be given with --vault."],
    ['--checks-timeout 541s', '--checks-timeout is more than 540s: the agent ends a hook after ten minutes.'],
    ['--checks-timeout 540s', 'granted'],
  ])('fix it %s: %s', (line, message) => {
    expect(refused(line)).toBe(message);
  });

  it('repeats no more of what was typed than is needed to know it again', () => {
    expect(refused(`--timeout ${'x'.repeat(60)}`)).toContain(`not "${'x'.repeat(60)}".`);
    expect(refused(`--timeout ${'x'.repeat(61)}`)).toContain(`not "${'x'.repeat(60)}…".`);
    expect(refused(`--${'x'.repeat(58)} y`)).toContain(`--${'x'.repeat(58)} is not a flag`);
    expect(refused(`--${'x'.repeat(59)} y`)).toContain(`--${'x'.repeat(58)}… is not a flag`);
  });

  it('of flags that contradict each other says what to do', () => {
    expect(parseStart('fix it --checks-timeout 10m')).toMatchObject({
      code: 'bad-duration',
      next: 'Give less, or use dacapo run, which has no such limit.',
    });
    expect(parseStart('fix it --mode fresh --checks-timeout 10m')).toMatchObject({
      checksTimeoutMs: HOUR / 6,
    });
    expect(parseStart('fix it --view none --vault v')).toMatchObject({
      code: 'bad-view',
      next: 'Leave one of them out.',
    });
  });
});

describe('a flag', () => {
  it.each([
    ['--check-timeout 90s', { checkTimeoutMs: 90_000, promise: 'COMPLETE' }],
    ['--checks-timeout 90s', { checksTimeoutMs: 90_000, checkTimeoutMs: null }],
    ['--parallel 12', { parallel: 12, checksTimeoutMs: null }],
    ['--config none', { config: { is: 'none' }, parallel: null }],
    ['--config ci.config.mjs', { config: { is: 'file', file: 'ci.config.mjs' }, parallel: null }],
    ['--timeout 12h30m', { timeoutMs: 12.5 * HOUR }],
    ['--max-cost $12.50', { maxCostUsd: 12.5 }],
    ['--max-cost 1234.5', { maxCostUsd: 1_234.5 }],
    ['--max-tokens 1.25m', { maxTokens: 1_250_000 }],
    ['--max-tokens 12K', { maxTokens: 12_000 }],
  ])('fix it %s', (line, options) => {
    expect(parseStart(`fix it ${line}`)).toMatchObject({ ok: true, prompt: 'fix it', ...options });
  });
});
