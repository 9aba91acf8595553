/** What hosts tell about the windows of a subscription: lines recorded from Claude Code 2.1.325 and Codex 0.166.0. */
import { expect, test } from 'vitest';
import { readLine } from '#hosts/claude-code/headless/stream.ts';
import { windowsIn } from '#hosts/codex/stream.ts';

const BOTH = [
  { minutes: 300, usedPercent: 83, resetsAt: '2026-11-18T19:05:44.000Z' },
  { minutes: 10_080, usedPercent: 42, resetsAt: '2026-11-22T22:05:44.000Z' },
];
const rateLimit = (info: object) => readLine({ type: 'rate_limit_event', rate_limit_info: info });

test('Claude Code tells both windows, whichever its status is about', () => {
  const told = rateLimit({
    status: 'allowed',
    resetsAt: 1_795_028_744,
    rateLimitType: 'five_hour',
    isUsingOverage: false,
    unifiedWindows: {
      five_hour: { utilization: 0.83, resetsAt: 1_795_028_744, status: 'allowed' },
      seven_day: { utilization: 0.42, resetsAt: 1_795_385_144, status: 'allowed' },
      overage: { utilization: 0.99, resetsAt: 1_795_385_144 },
    },
  });
  expect(told).toMatchObject([{ is: 'rate-limit', status: 'allowed', windows: BOTH }]);
});

test('Claude Code tells the one window that it warns about', () => {
  const info = {
    status: 'allowed_warning',
    resetsAt: 1_795_028_744,
    rateLimitType: 'five_hour',
    utilization: 0.57,
  };
  expect(rateLimit(info)).toMatchObject([
    { status: 'warning', windows: [{ minutes: 300, usedPercent: 57 }] },
  ]);
});

test.each([
  [{ status: 'allowed', resetsAt: 1_795_028_744, rateLimitType: 'five_hour' }],
  [{ status: 'allowed', rateLimitType: 'five_hour', utilization: 0.9 }],
  [{ status: 'allowed', resetsAt: 1_795_028_744, rateLimitType: 'overage', utilization: 0.9 }],
  [{ status: 'allowed', unifiedWindows: { five_hour: { utilization: 'much', resetsAt: 1_795_028_744 } } }],
])('no window is told by %j', (info) => {
  expect(rateLimit(info)[0]).not.toHaveProperty('windows');
});

const row = (limits: unknown) =>
  JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info: null, rate_limits: limits } });

test('Codex tells them in the record of its session', () => {
  const limits = {
    limit_id: 'codex',
    primary: { used_percent: 83, window_minutes: 300, resets_at: 1_795_028_744 },
    secondary: { used_percent: 42, window_minutes: 10_080, resets_at: 1_795_385_144 },
    credits: null,
  };
  expect(windowsIn(row(limits))).toEqual(BOTH);
  expect(windowsIn(row({ ...limits, secondary: null }))).toEqual(BOTH.slice(0, 1));
});

test.each([
  [row(null)],
  ['{"rate_limits"'],
  [row({ primary: { used_percent: -1, window_minutes: 300, resets_at: 1 } })],
])('Codex tells none in %s', (line) => expect(windowsIn(line)).toEqual([]));
