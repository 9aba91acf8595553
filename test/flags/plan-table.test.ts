/** How the passes of the fresh driver are asked for on the command line. */
import { describe, expect, it } from 'vitest';
import { pickPlan } from '../../src/flags/plan-table.ts';
import { DEFAULT_PLAN, planOf, type Plan } from '../../src/core/plan.ts';

const MINUTE = 60_000;

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
    expect(pickPlan(line.split(' '), DEFAULT_PLAN)).toEqual({
      ok: true,
      value: { plan: { ...DEFAULT_PLAN, ...plan }, given: true, rest: [] },
    });
  });

  it('tools may stand in one word with spaces', () => {
    expect(pickPlan(['--allowed-tools', ' Bash , Edit '], DEFAULT_PLAN)).toMatchObject({
      value: { plan: { tools: ['Bash', 'Edit'] } },
    });
  });

  it('are picked out from among those of the start command, which stay in their order', () => {
    const words = ['fix', '--model', 'opus', '--max-iterations', '3', '--commit', 'it', ''];
    expect(pickPlan(words, DEFAULT_PLAN)).toMatchObject({
      value: {
        given: true,
        rest: ['fix', '--max-iterations', '3', 'it', ''],
        plan: { model: 'opus', commit: 'own' },
      },
    });
  });

  it('change only what they name: the rest stays as the loop was run before', () => {
    const before = { ...DEFAULT_PLAN, branch: 'try', notes: false };
    expect(pickPlan(['--model', 'opus'], before)).toMatchObject({
      value: { plan: { ...before, model: 'opus' } },
    });
    expect(pickPlan(['fix', 'it'], before)).toEqual({
      ok: true,
      value: { plan: before, given: false, rest: ['fix', 'it'] },
    });
  });

  it.each([
    ['--model', 'missing-value', '--model has no value.', 'Write --model MODEL, or leave it out.'],
    ['--model --commit', 'missing-value', '--model has no value.', 'Write --model MODEL, or leave it out.'],
    ['--commit=yes', 'unwanted-value', '--commit takes no value.', 'Write --commit alone.'],
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
    expect(pickPlan(line.split(' '), DEFAULT_PLAN)).toEqual({ ok: false, code, message, next });
  });
});

describe('the plan of a loop', () => {
  it('is the usual one until it has run by another', () => {
    const own = { ...DEFAULT_PLAN, model: 'opus' };
    expect(planOf({ plan: null })).toBe(DEFAULT_PLAN);
    expect(planOf({ plan: own })).toBe(own);
  });
});
