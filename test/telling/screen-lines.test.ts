/**
 * In a session the host shows a person all that the agent is told: at most 25 lines of it, and where the loop
 * stands last.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gate } from '#law/record/definition.ts';
import type { Missing } from '#law/record/verdict.ts';
import { continuation } from '#telling/agent/continuation.ts';
import { failingLines } from '#telling/failing.ts';
import { gateActs, whatIsOpen } from '#telling/agent/open-gates.ts';
import { sayContinue } from '#telling/person/to-person.ts';
import { GO_ON, PROMISE, check, claim, features, list, proof, running, verdict } from '../law/given.ts';

const TAP = `TAP version 13
# Subtest: totals
ok 1 - totals
  ---
  duration_ms: 1.2
  ...
# Subtest: quantity
not ok 2 - quantity
  ---
  duration_ms: 3.4
  location: 'cart.test.js:9:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
    10 !== 20
${Array.from({ length: 40 }, (_, k) => `    at frame ${k} (node:internal/x.js:${k}:1)`).join('\n')}
  ...
1..2
# tests 2
# pass 1
# fail 1`;

/** What a person sees of a stop that is refused. */
function shown(gates: Gate[], outputs: readonly string[], prompt: string): string {
  const missing: Missing[] = outputs.map((_, k) => ({
    gate: 'check',
    name: null,
    command: `npm run test${k}`,
    outcome: 'failed with exit code 1',
  }));
  const proofs = outputs.map((tail, k) => ({
    ...proof(`npm run test${k}`, { is: 'failed', exit: 1, tail }),
    evidence: `/home/loops/RALPH_20260105_abc123/evidence/stop-1-check-${k}.txt`,
  }));
  const goesOn = { ...GO_ON, missing };
  const seen = gates.some(({ kind }) => kind === 'features') ? list(1) : null;
  const loop = running({ gates }, claim(1), verdict(1, { verdict: goesOn, proofs, features: seen }));
  const task = { prompt, file: '.claude/ralph-loop.local.md' };
  const more = { open: whatIsOpen(loop, goesOn), acts: gateActs(loop.frame) };
  const commands = { resume: '/resume-ralph', cancel: '/cancel-ralph' };
  return `${sayContinue(loop, goesOn, commands)}\n${continuation(loop, goesOn, task, false, more)}`;
}

describe('a stop that is refused', () => {
  it('shows at most 25 lines, whatever the checks print and the prompt says', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ maxLength: 200 }), { maxLength: 60 }), { minLength: 1, maxLength: 7 }),
        fc.array(fc.string(), { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        (outputs, prompt, promised) => {
          const checks = outputs.map((_, k) => check(`npm run test${k}`));
          const gates = promised ? [PROMISE, ...checks] : checks;
          const text = shown(
            gates,
            outputs.map((lines) => lines.join('\n')),
            prompt.join('\n'),
          );
          expect(text.split('\n').length).toBeLessThanOrEqual(25);
          expect(text.split('\n').at(-1)).toContain('Da Capo: iteration 2 of 50 begins.');
        },
      ),
    );
  });

  it('says what failed, the lines that matter, where all of it is, and where the loop stands', () => {
    const lines = shown([check('npm run test0')], [TAP], 'Make the cart total respect quantity.').split('\n');
    expect(lines.slice(0, 11)).toEqual([
      'Da Capo: iteration 2 of 50; check `npm run test0` failed with exit code 1.',
      'Still missing:',
      '- check `npm run test0` failed with exit code 1. From its output (in full: /home/loops/RALPH_20260105_abc123/evidence/stop-1-check-0.txt):',
      '  | not ok 2 - quantity',
      "  |   location: 'cart.test.js:9:1'",
      '  |   error: |-',
      '  |     Expected values to be strictly equal:',
      '  |     10 !== 20',
      '  | …',
      '  | # pass 1',
      '  | # fail 1',
    ]);
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(lines.at(-1)).toBe(
      'Da Capo: iteration 2 of 50 begins. The task is not proven done yet. Still open: check `npm run test0` failed with exit code 1.',
    );
  });

  it('with a feature list too', () => {
    const text = shown([features(list(1)), check('npm run test0')], [TAP], 'Build it.');
    expect(text.split('\n').length).toBeLessThanOrEqual(25);
  });
});

describe('the lines that matter', () => {
  it('are never more than asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('ok', 'FAIL', '', 'x')), fc.nat(12), (lines, most) => {
        expect(failingLines(lines.join('\n'), most).length).toBeLessThanOrEqual(most);
      }),
    );
  });
});
