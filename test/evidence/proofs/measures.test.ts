import { describe, expect, test } from 'vitest';
import { readNumber } from '#evidence/proofs/measure-number.ts';

test.each([
  ['12', 12],
  ['12\n\n', 12],
  ['12 passed\n3 failed\n', 3],
  ['Tests: 40 total\nTime: 1.5 s', 1.5],
  ['7 of the lines\nno number here', 7],
  ['-3', -3],
  ['+3', 3],
  ['All files | 81.25 % |', 81.25],
  ['coverage=81.25%', 81.25],
  ['\u001b[31m7\u001b[0m', 7],
  ['.5', 0.5],
  ['-.25', -0.25],
  ['7.000', 7],
  ['1.2e+06', 1_200_000],
  ['3e-2 left', 0.03],
  ['100%', 100],
  ['There are 4.', 4],
  ['5 on x86', 5],
  ['5 for v1.2.3, sha256', 5],
  ['      12 src/a.ts', 12],
  ['50%\r\r99%', 99],
])('the number in %j is %j', (output, number) => {
  expect(readNumber(output)).toEqual({ value: number });
});

test.each(['v2', 'none', '', 'tests-3', 'NaN', 'Infinity', '-', 'a_1'])('%j has no number', (output) => {
  expect(readNumber(output)).toBeNull();
});

/** A target of `n<=6` or `n>=5` was reached by these. */
describe('what can be read in two ways is not measured', () => {
  test.each([
    ['10,5', '"10,5" is not a plain number: print its digits alone, with a point before a fraction'],
    ['7.000,1', '"7.000,1" is not a plain number'],
    ['1,234', '"1,234" is not a plain number'],
    ['1,234,567 lines', '"1,234,567" is not a plain number'],
    ["1'234", '"1\'234" is not a plain number'],
    ['1_234', '"1_234" is not a plain number'],
    ['1.2.3', '"1.2.3" is not a plain number'],
    ['1.1M\ttotal', '"1.1M" is not a plain number'],
    ['0x1F', '"0x1F" is not a plain number'],
    ['\u22125', 'is not a plain number'],
    ['\u0663', 'is not a plain number'],
    ['\uFF15', 'is not a plain number'],
    ['2026-11-18', '"2026-11-18" is not a plain number'],
    ['1e309', '"1e309" is too large for a number'],
    ['-1e309', '"-1e309" is too large for a number'],
    ['9'.repeat(400), 'is not a plain number'],
    [`${'0'.repeat(70_000)}5`, 'is not a plain number'],
    ['12 passed, 3 failed', 'its last line with a number has 2 of them: 12 passed, 3 failed'],
    ['12 passed,3 failed', 'has 2 of them'],
    ['1 234', 'has 2 of them'],
    ['3/4', 'has 2 of them'],
    ['10;5', 'has 2 of them'],
  ])('%j', (output, why) => {
    expect(readNumber(output)).toEqual({ value: null, why: expect.stringContaining(why) });
  });
});
