/** What a pass uses, told while it is at work. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_PLAN, type Plan } from '#law/record/plan.ts';
import { openMeter } from '#engine/driver/pass/pass-record.ts';
import type { Result, StreamEvent } from '#hosts/port/stream.ts';
import { after, claim, running, verdict } from '../../../law/given.ts';

const INIT: StreamEvent = {
  is: 'init',
  session: 's',
  model: 'm',
  version: '1',
  permissionMode: null,
  window: 200_000,
};
const NOTHING = { costUsd: 0, tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
const RESULT: Result = {
  is: 'result',
  failed: false,
  reason: 'completed',
  subtype: 'success',
  status: null,
  type: null,
  code: null,
  total: NOTHING,
  since: null,
  window: 1_000_000,
  turns: 1,
  denied: [],
  error: null,
};

function message(id: string, tokens: number, costUsd: number): [StreamEvent, StreamEvent] {
  const spent = { costUsd, tokens: { ...NOTHING.tokens, input: tokens } };
  return [
    { is: 'context', tokens, window: null },
    { is: 'usage', message: id, spent },
  ];
}

function heard(seen: readonly StreamEvent[], context: Plan['context'] = DEFAULT_PLAN.context) {
  const used = { costUsd: 1, tokens: 500 };
  const loop = running(
    {},
    { type: 'planned', at: after(0), by: 'terminal', plan: { ...DEFAULT_PLAN, context } },
    claim(1),
    verdict(1, { used }),
  );
  const meter = openMeter(loop);
  return seen.flatMap((one) => meter(one));
}

describe('the meter of a pass', () => {
  test('adds what its messages have used so far to what the loop had used, each message once', () => {
    const told = heard([
      INIT,
      ...message('1', 1_000, 0.1),
      ...message('1', 1_000, 0.1),
      ...message('2', 3_000, 0.3),
    ]);
    expect(told).toEqual([
      expect.objectContaining({ costUsd: 1.1, tokens: 1_500, contextTokens: 1_000, contextWindow: 200_000 }),
      expect.objectContaining({ costUsd: 1.4, tokens: 4_500, contextTokens: 3_000, isReckoned: true }),
    ]);
  });

  test('counts what subagents use, and not their context', () => {
    const [context, usage] = message('9', 7_000, 0.5);
    const of = (event: StreamEvent): StreamEvent => ({ is: 'subagent', of: 't', event });
    const told = heard([INIT, ...message('1', 1_000, 0.1), of(context), of(usage)]);
    expect(told.at(-1)).toMatchObject({ costUsd: 1.6, contextTokens: 1_000 });
  });

  test('warns once that the context is nearly full, in the middle of the pass', () => {
    const told = heard([
      INIT,
      ...message('1', 159_999, 0),
      ...message('2', 160_000, 0),
      ...message('3', 170_000, 0),
    ]);
    expect(told.filter(({ is }) => is === 'warning')).toEqual([
      {
        is: 'warning',
        text: 'The context is at 80 % of 200k tokens: the host will soon compact it, and what is only there is lost.',
      },
    ]);
  });

  test('says what helps where one session is carried on', () => {
    const told = heard([INIT, ...message('1', 190_000, 0)], { is: 'same', compactEvery: null });
    expect(told[0]).toMatchObject({ text: expect.stringContaining('--compact-every N') });
  });

  test('believes the result about the size of the context', () => {
    const told = heard([{ ...INIT, window: null }, ...message('1', 190_000, 0), RESULT]);
    expect(told).toMatchObject([{ is: 'usage', contextWindow: null }]);
  });
});
