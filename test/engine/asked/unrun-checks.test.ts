/** A check that can't be run at all is no red check: a start refuses it before an agent is paid. */
import { describe, expect, test } from 'vitest';
import type { CheckOutcome } from '#law/record/verdict.ts';
import { refuseSyntax, refuseUnrun } from '#engine/asked/unrun-checks.ts';
import { sayRedChecks } from '#telling/person/red-check.ts';

const GATE = { kind: 'check', name: null, command: 'npm test', timeoutMs: 2_000 } as const;

function proofOf(outcome: CheckOutcome) {
  return { name: null, command: GATE.command, outcome, ms: 600, evidence: null };
}

function refusal(outcome: CheckOutcome) {
  return refuseUnrun([proofOf(outcome)], [GATE]);
}

const failed = (tail: string, exit = 1): CheckOutcome => ({ is: 'failed', exit, tail });

describe('refused', () => {
  test.each([
    ['127', { is: 'unstartable', error: 'exit code 127: sh: 1: ./x: not found', tail: '' }],
    ['its whole time', { is: 'timed-out', afterMs: 2_000, tail: '' }],
    ['npm, no script', failed('npm error Missing script: "tset"\nnpm error\nnpm error Did you mean')],
    ['older npm', failed('npm ERR! Missing script: "tset"')],
    [
      'npm, no package.json',
      failed('npm error code ENOENT\nnpm error enoent Could not read package.json', 254),
    ],
    ['pnpm', failed(' ERR_PNPM_NO_SCRIPT  Missing script: tset')],
    ['yarn', failed('yarn run v1.22.22\nerror Command "tset" not found.')],
    ['bun', failed('error: Script not found "tset"')],
    ['make, no target', failed("make: *** No rule to make target 'tset'.  Stop.", 2)],
    ['make, no makefile', failed('make: *** No targets specified and no makefile found.  Stop.', 2)],
    ['just', failed('error: Justfile does not contain recipe `tset`')],
  ] satisfies [string, CheckOutcome][])('%s', (_what, outcome) => {
    expect(refusal(outcome)).toMatchObject({
      code: 'unrun-check',
      message: expect.stringContaining('"npm test" can\'t be run: '),
      next: expect.stringContaining('--check-later'),
    });
  });
});

describe('a red check that a loop is for', () => {
  test.each([
    ['a failing test', failed('FAIL parser.test.js')],
    [
      'a file that a target of make needs',
      failed("make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop.", 2),
    ],
    ['a test that prints such words', failed('expected: npm error Missing script: "x"')],
    ['less time than its own, in a session', { is: 'timed-out', afterMs: 500, tail: '' }],
    ['a crash', { is: 'killed', signal: 'SIGSEGV', tail: '' }],
    ['not yet', { is: 'not-yet', tail: '' }],
    ['green', { is: 'passed' }],
  ] satisfies [string, CheckOutcome][])('%s', (_what, outcome) => {
    expect(refusal(outcome)).toBeNull();
  });
});

describe('what no shell can read', () => {
  test.each(["echo 'unclosed", 'echo "unclosed', 'if true; then echo x', 'echo $(date'])('%s', (command) => {
    expect(refuseSyntax([command])).toMatchObject({ code: 'bad-check' });
  });

  test.each(["echo 'closed'", 'npm test && npm run lint', 'test -f "a b"', 'for i in 1 2; do echo $i; done'])(
    '%s is fine',
    (command) => {
      expect(refuseSyntax([command])).toBeNull();
    },
  );
});

test('a red check is told with its exit code, its time and the telling lines', () => {
  expect(
    sayRedChecks([proofOf(failed('ok 1\nFAIL parser\n  at /code/x/parser.js:3', 254))], '', '/code/x'),
  ).toEqual(['`npm test` fails now: exit code 254, 0.6 s', '  ok 1', '  FAIL parser', '  at parser.js:3']);
  expect(sayRedChecks([proofOf({ is: 'passed' }), proofOf({ is: 'not-yet', tail: '' })], '', '/x')).toEqual(
    [],
  );
});
