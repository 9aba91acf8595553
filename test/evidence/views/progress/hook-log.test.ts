import { expect, it } from 'vitest';
import type { Loop } from '#law/loop.ts';
import type { FeaturesProof } from '#law/record/definition.ts';
import { stopLog } from '#evidence/views/progress/hook-log.ts';
import { claim, passes, running, verdict } from '../../../law/given.ts';

const at = new Date(2026, 0, 5, 9, 7, 3).toISOString();
const stop = { from: { session: 'abc123' } as never, continuedByHook: true };

const third = running({ iterations: 15 }, ...passes(2));
const fourth = running({ iterations: 15 }, ...passes(3));
const completed = running({ iterations: 15 }, claim(1), verdict(1, { verdict: { is: 'complete' } }));
const exhausted = running(
  { iterations: 15 },
  ...passes(14),
  claim(15),
  verdict(15, { verdict: { is: 'exhaust', limit: 'iterations', missing: [] } }),
);

/** The loop, as if its last stop had seen this list. */
function having(loop: Loop, features: FeaturesProof): Loop {
  return { ...loop, last: loop.last && { ...loop.last, features } };
}

const FACTS = { name: 'feature_list.json', format: 'feature-list', passing: 4, total: 10 } as const;
const next = {
  id: '5',
  description: 'Empty cuisine buttons trigger dialog',
  steps: [],
  model: null,
  mark: null,
};

it.each<[Loop, readonly string[]]>([
  [fourth, ['CONTINUE: Starting iteration 4']],
  [
    having(fourth, { is: 'read', facts: { ...FACTS, next } }),
    [
      'Features: 4/10 complete, 6 remaining',
      'CONTINUE: Starting iteration 4 for Feature 5: Empty cuisine buttons trigger dialog',
    ],
  ],
  [
    having(fourth, { is: 'unreadable', why: 'feature_list.json not found' }),
    ['ERROR: feature_list.json not found', 'CONTINUE: Starting iteration 4'],
  ],
  [completed, ['COMPLETE: Every gate holds']],
  [exhausted, ['REACHED_LIMIT: Max iterations (15) reached']],
  [
    having(exhausted, { is: 'read', facts: { ...FACTS, next } }),
    [
      'Features: 4/10 complete, 6 remaining',
      'REACHED_LIMIT: Max iterations (15) reached with 6 features remaining',
    ],
  ],
])('a stop in the words of the format, %#', (loop, lines) => {
  const head = ['Stop hook triggered. Session: abc123, stop_hook_active: true', 'Iteration: 3 / 15'];
  expect(stopLog(third, loop, stop, at)).toBe(
    [...head, ...lines].map((line) => `[2026-01-05 09:07:03] ${line}\n`).join(''),
  );
});

it('no limit is unlimited', () => {
  const endless = running({ iterations: null }, ...passes(2));
  expect(stopLog(endless, endless, stop, at)).toContain('Iteration: 3 / unlimited\n');
});

it('one thing is one line', () => {
  const why = `a\nb\u001B[2J${'c'.repeat(5_000)}`;
  const line = stopLog(third, having(fourth, { is: 'unreadable', why }), stop, at).split('\n')[2] ?? '';
  expect(line).toMatch(/^\[[-0-9 :]{19}\] ERROR: a bc+…$/);
  expect(line.length).toBeLessThan(1_100);
});
