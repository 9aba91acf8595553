import fc from 'fast-check';
import { createPaint } from '#surfaces/screen/terminal/paint.ts';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '#engine/run-event.ts';
import { initialScreen, workedAt } from '#surfaces/screen/state.ts';
import { view } from '#surfaces/screen/view.ts';
import { widthOf } from '#surfaces/screen/terminal/width.ts';
import {
  anyRun,
  at,
  begins,
  frame,
  JUDGED,
  run,
  says,
  SETTING,
  START,
  tool,
  USAGE,
  NO_PAINT,
} from './given.ts';

describe('the block below', () => {
  test('says nothing before the first iteration', () => {
    expect(view(initialScreen(SETTING), frame())).toEqual([]);
  });

  test('what the first Ctrl-C asked for stays in sight, below whatever the agent does', () => {
    const { state } = run([begins(3), tool('a', 'Bash', 'npm test'), says('Busy.')]);
    const stopping = 'stopping after this iteration; Ctrl-C again stops now';
    expect(view(state, frame(), null, stopping).at(-1)).toBe(`! ${stopping}`);
  });

  test('the iteration, the time, the money, the tokens, the context, the gates', () => {
    const setting = { ...SETTING, budgetUsd: 5 };
    const { state } = run([begins(3), JUDGED, USAGE], setting);
    expect(view(state, frame({ seconds: 247 }))).toEqual([
      '',
      '  iteration 3/10 · 4:07 · $0.42 of $5.00 · 128k tokens · context 41 %',
      '  ✓ npm test   ✗ promise',
    ]);
    expect(view(state, frame({ seconds: 247, width: 40 }))[1]).toBe('  3/10 · 4:07 · $0.42 · 128k · 41 %');
    expect(view(state, frame({ seconds: 247, width: 30 }))[1]).toBe('  3/10 · 4:07 · $0.42 · 41 %');
    expect(view(state, frame({ seconds: 3_847, width: 20 }))).toEqual([
      '',
      '  3/10 · 1:04:07',
      '  gates ✓ 1  ✗ 1',
    ]);
  });

  test('what is in work, with its time once it takes long', () => {
    const { state } = run([
      begins(1),
      says('x'),
      tool('a', 'Bash', 'npm test', 1),
      tool('b', 'Read', 'a.ts', 8),
    ]);
    expect(view(state, frame({ seconds: 10 })).slice(0, 4)).toEqual([
      '',
      '· Bash   npm test  0:09',
      '· Read   a.ts',
      '',
    ]);
    const many = run([begins(1), ...['a', 'b', 'c', 'd', 'e'].map((id) => tool(id, 'Read', id))]).state;
    expect(view(many, frame()).slice(3, 5)).toEqual(['· Read   c', '  and 2 more']);
    expect(view(many, frame({ height: 12 })).slice(1, 3)).toEqual(['· Read   a', '  and 4 more']);
  });

  test('waiting counts down, and is not work', () => {
    const waits: RunEvent = {
      is: 'waits',
      at: at(60),
      for: 'limit',
      until: at(660),
      why: 'resets at 15:00',
    };
    const { state } = run([begins(1), waits]);
    expect(view(state, frame({ seconds: 300 })).slice(-2)).toEqual([
      '  iteration 1/10 · 1:00',
      '  waits 6:00 for the usage limit of the host: resets at 15:00   gates · 2',
    ]);
    const after = run([begins(1), waits, { is: 'goes-on', at: at(660) }]).state;
    expect(workedAt(after, START + 720_000)).toBe(120_000);
    expect(view(after, frame({ seconds: 720 })).at(-1)).toBe('  · npm test   · promise');
  });

  test('a wait without a known end has no countdown', () => {
    const { state } = run([begins(1), { is: 'waits', at: at(1), for: 'circuit', until: null, why: '' }]);
    expect(view(state, frame()).at(-1)).toBe('  waits for a last try, because nothing changed   gates · 2');
  });

  test('a host that says nothing for a minute is told of, with its limit', () => {
    const setting = { ...SETTING, silenceMs: 20 * 60_000 };
    const last = (events: RunEvent[], seconds: number) =>
      view(run(events, setting).state, frame({ seconds })).at(-1);
    expect(last([begins(1)], 59)).toBe('  · npm test   · promise');
    expect(last([begins(1)], 190)).toBe('  nothing heard for 3:10 of 20:00   gates · 2');
    const soon = run([begins(1)], { ...SETTING, silenceMs: 40_000 }).state;
    expect(view(soon, frame({ seconds: 21 })).at(-1)).toBe('  nothing heard for 0:21 of 0:40   gates · 2');
    expect(last([begins(1), { ...says('On it.'), at: at(180) }], 190)).toBe('  · npm test   · promise');
    // While checks run nobody waits for the host.
    const checks: RunEvent = { is: 'checks-begin', at: at(10), commands: ['npm test'] };
    expect(last([begins(1), checks], 190)).toBe('  · npm test   · promise');
  });

  test('a loop that goes on keeps its past', () => {
    const { state } = run([begins(4)], { ...SETTING, workedMs: 600_000, costUsd: 2, tokens: 1_234_567 });
    expect(view(state, frame()).at(-2)).toBe('  iteration 4/10 · 10:00 · $2.00 · 1.23M tokens');
  });

  test('a cost that is estimated from tokens is about that much', () => {
    const { state } = run([begins(4), { ...USAGE, isEstimate: true, contextTokens: null }]);
    expect(view(state, frame()).at(-2)).toContain(' · about $0.42 · 128k tokens');
    const resumed = run([begins(4)], { ...SETTING, costUsd: 2, estimated: true }).state;
    expect(view(resumed, frame()).at(-2)).toContain(' · about $2.00');
  });

  test('colours are those that are passed in, and few', () => {
    const paint = createPaint(true);
    const { state } = run([begins(3), JUDGED, { ...USAGE, contextTokens: 170_000 }]);
    const [, first, second] = view(state, frame({ style: { paint, isAscii: false } }));
    expect(first).toContain(paint.bold('iteration 3/10'));
    expect(first).toContain(paint.yellow('context 85 %'));
    expect(second).toBe(
      `  ${paint.green('✓')} ${paint.dim('npm test')}   ${paint.red('✗')} ${paint.dim('promise')}`,
    );
  });
});

describe('any run', () => {
  const size = fc.record({
    width: fc.integer({ min: 20, max: 140 }),
    height: fc.integer({ min: 6, max: 50 }),
  });

  test('fits the window, without a control character', () => {
    fc.assert(
      fc.property(anyRun, size, fc.boolean(), (events, { width, height }, isAscii) => {
        const in_ = frame({ width, height, style: { paint: NO_PAINT, isAscii }, seconds: 70 });
        const { told, state } = run(events, SETTING, in_);
        const block = view(state, in_);
        expect(block.length).toBeLessThan(height);
        for (const line of [...told, ...block]) {
          expect(widthOf(line)).toBeLessThan(width);
          expect(line).not.toMatch(/\p{Cc}/u);
          expect(!isAscii || /^\p{ASCII}*$/u.test(line)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('the narrowest of windows breaks nothing', () => {
    fc.assert(
      fc.property(anyRun, fc.integer({ min: 1, max: 19 }), (events, width) => {
        const in_ = frame({ width, height: 2 });
        expect(view(run(events, SETTING, in_).state, in_).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('leaves a state of bounded size', () => {
    const endless = Array.from({ length: 5_000 }, (_, n) => tool(`tool ${n}`, 'Bash', 'x'.repeat(9_000)));
    expect(JSON.stringify(run([begins(1), ...endless]).state).length).toBeLessThan(300_000);
  });
});
