import { describe, expect, it } from 'vitest';
import { goalIn } from '#hosts/claude-code/goal.ts';
import { program } from '#hosts/claude-code/setup/program.ts';
import { claudeCodeHeadless } from '#hosts/claude-code/headless/command.ts';
import { PASS_PLACE } from '../pass-place.ts';
import { PASS } from '../headless-conformance.ts';

const row = (attachment: object) => JSON.stringify({ type: 'attachment', attachment });
const goal = (fields: object) => row({ type: 'goal_status', condition: 'Tests pass', ...fields });
const SET = goal({ met: false, sentinel: true });

describe('the goal that a transcript leaves active', () => {
  it.each([
    ['set', [SET], 'Tests pass'],
    ['judged, and not met', [SET, goal({ met: false, reason: 'no' }), '{"type":"user"}'], 'Tests pass'],
    ['met', [SET, goal({ met: true, reason: 'yes' })], null],
    ['impossible', [SET, goal({ met: false, failed: true })], null],
    ['cleared', [SET, goal({ met: true, sentinel: true })], null],
    ['set again', [SET, goal({ met: true }), goal({ met: false, condition: 'Docs too' })], 'Docs too'],
    ['only talked about', [JSON.stringify({ type: 'user', text: '"goal_status"' })], null],
    ['cut off', [SET.slice(0, 60)], null],
    ['none', [], null],
  ])('%s', (_, rows, condition) => {
    expect(goalIn(rows)).toBe(condition);
  });
});

it('neither a session nor a pass lets the model arm a goal itself', () => {
  const session = program.sessionArguments('/plugin');
  expect(JSON.parse(session[session.indexOf('--settings') + 1] ?? '')).toMatchObject({
    modelProposedGoals: 'disabled',
  });
  const { args } = claudeCodeHeadless.command(PASS, PASS_PLACE);
  expect(args.join(' ')).toContain('--disallowedTools ProposeGoal --');
});
