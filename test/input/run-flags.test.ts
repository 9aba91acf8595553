/** How the passes of the fresh driver are asked for on the command line. */
import { describe, expect, it } from 'vitest';
import type { Reading } from '#input/values.ts';
import { LOOP_FLAGS } from '#input/loop-flags.ts';
import { PLAN_FLAGS } from '#input/run-flags.ts';
import { readPlan, readRunFlags } from '#input/run-request.ts';
import { parseWords } from '#input/words.ts';
import { planOf } from '#law/loop.ts';
import { DEFAULT_PLAN, type Plan } from '#law/record/plan.ts';

const MINUTE = 60_000;

function planned(words: readonly string[], before: Plan = DEFAULT_PLAN): Reading<Plan> {
  const line = parseWords({ ...PLAN_FLAGS, ...LOOP_FLAGS }, words);
  return line.ok ? readPlan(line.value, before, ['acceptEdits']) : line;
}

describe('the flags of a plan', () => {
  it.each<[string, Partial<Plan>]>([
    ['--fresh', {}],
    ['--fresh-every 3', { context: { is: 'new', every: 3, of: 'iterations' } }],
    ['--fresh-every 12f', { context: { is: 'new', every: 12, of: 'features' } }],
    ['--continue', { context: { is: 'same', compactEvery: null } }],
    ['--compact-every 5', { context: { is: 'same', compactEvery: 5 } }],
    ['--continue --compact-every 5', { context: { is: 'same', compactEvery: 5 } }],
    ['--compact-every 5 --continue', { context: { is: 'same', compactEvery: 5 } }],
    ['--continue --fresh', {}],
    ['--pause 0', { pauseMs: 0 }],
    ['--pause 0s', { pauseMs: 0 }],
    ['--pause 0m', { pauseMs: 0 }],
    ['--pause 2m', { pauseMs: 2 * MINUTE }],
    ['--pause=2m', { pauseMs: 2 * MINUTE }],
    ['--iteration-timeout 30m', { passMs: 30 * MINUTE }],
    ['--silence-timeout 5m', { silenceMs: 5 * MINUTE }],
    ['--max-calls-per-hour 10', { callsPerHour: 10 }],
    ['--reserve 20%', { reserve: 20 }],
    ['--reserve 5', { reserve: 5 }],
    ['--model opus', { model: 'opus' }],
    ['--fallback-model sonnet', { fallbackModel: 'sonnet' }],
    ['--permission-mode acceptEdits', { permissionMode: 'acceptEdits' }],
    ['--allowed-tools Bash,Edit,,', { tools: ['Bash', 'Edit'] }],
    ['--allowed-tools Read --allowed-tools Bash(a:*),Edit', { tools: ['Read', 'Bash(a:*)', 'Edit'] }],
    ['--allowed-tools Bash(log:a,b),Edit', { tools: ['Bash(log:a,b)', 'Edit'] }],
    ['--commit', { commit: 'own' }],
    ['--commit-all', { commit: 'all' }],
    ['--branch try', { branch: 'try' }],
    ['--no-notes', { notes: false }],
    ['--model opus --commit --pause 3s', { model: 'opus', commit: 'own', pauseMs: 3_000 }],
  ])('%s', (line, plan) => {
    expect(planned(line.split(' '))).toEqual({ ok: true, value: { ...DEFAULT_PLAN, ...plan } });
  });

  it('tools may stand in one word with spaces', () => {
    expect(planned(['--allowed-tools', ' Bash , Edit '])).toMatchObject({
      value: { tools: ['Bash', 'Edit'] },
    });
  });

  it('stand among those of the start command and the words of the prompt', () => {
    const words = ['fix', '--model', 'opus', '--max-iterations', '3', '--commit', 'it', ''];
    expect(planned(words)).toEqual({ ok: true, value: { ...DEFAULT_PLAN, model: 'opus', commit: 'own' } });
    expect(parseWords({ ...PLAN_FLAGS, ...LOOP_FLAGS }, words)).toEqual({
      ok: true,
      value: {
        words: ['fix', 'it', ''],
        given: new Map([
          ['--model', ['opus']],
          ['--max-iterations', ['3']],
          ['--commit', ['']],
        ]),
      },
    });
  });

  it('change only what they name: the rest stays as the loop was run before', () => {
    const before: Plan = { ...DEFAULT_PLAN, branch: 'try', notes: false, tools: ['Read'] };
    expect(planned(['--model', 'opus'], before)).toEqual({ ok: true, value: { ...before, model: 'opus' } });
    expect(planned(['--allowed-tools', 'Edit'], before)).toMatchObject({ value: { tools: ['Edit'] } });
    expect(planned(['fix', 'it'], before)).toEqual({ ok: true, value: before });
  });

  it.each([
    ['--model', 'missing-value', '--model has no value.', 'Write --model MODEL, or leave it out.'],
    ['--model --commit', 'missing-value', '--model has no value.', 'Write --model MODEL, or leave it out.'],
    ['--commit=yes', 'needless-value', '--commit takes no value.', 'Write --commit alone, or leave it out.'],
    ['--model a --model b', 'flag-twice', '--model is given twice.', 'Give it once.'],
    [
      '--fresh-every 0',
      'bad-number',
      '--fresh-every takes a number such as 3, or 2f for features, not "0".',
      'Leave it out for a new session each time.',
    ],
    ['--fresh-every x3', 'bad-number', expect.stringContaining('"x3"'), expect.any(String)],
    ['--fresh-every 3x', 'bad-number', expect.stringContaining('"3x"'), expect.any(String)],
    [
      '--pause soon',
      'bad-duration',
      expect.stringMatching(/^--pause takes 0 or a duration/),
      expect.any(String),
    ],
    ['--compact-every 0', 'bad-number', expect.stringMatching(/^--compact-every takes/), expect.any(String)],
    ['--iteration-timeout x', 'bad-duration', expect.any(String), expect.any(String)],
    ['--silence-timeout x', 'bad-duration', expect.any(String), expect.any(String)],
    ['--max-calls-per-hour x', 'bad-number', expect.any(String), expect.any(String)],
    ['--model=', 'bad-name', expect.stringMatching(/^--model takes/), expect.any(String)],
  ])('%s is refused: %s', (line, code, message, next) => {
    expect(planned(line.split(' '))).toEqual({ ok: false, code, message, next });
  });
});

it.each(['120%', '100%', '0', '0%', 'x', '-5%', '2.5%'])('--reserve %s is refused', (text) => {
  expect(planned([`--reserve=${text}`])).toEqual({
    ok: false,
    code: 'bad-number',
    message: `--reserve takes a percentage from 1% to 99%, not "${text}".`,
    next: expect.stringContaining('20%'),
  });
});

describe('the plan of a loop', () => {
  it('is the usual one until it has run by another', () => {
    const own = { ...DEFAULT_PLAN, model: 'opus' };
    expect(planOf({ run: { plan: null } })).toBe(DEFAULT_PLAN);
    expect(planOf({ run: { plan: own } })).toBe(own);
  });
});

describe('the checks of a run', () => {
  it('may take longer than those of a session, which a hook runs', () => {
    const read = readRunFlags(new Map([['--checks-timeout', ['11m']]]), 'fix it', []);
    expect(read).toMatchObject({ ok: true, value: { request: { checksTimeoutMs: 11 * MINUTE } } });
  });
});
