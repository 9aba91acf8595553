import { expect, test } from 'vitest';
import { lastNumber } from '../../src/proofs/measures.ts';

test.each([
  ['12', 12],
  ['12 passed, 3 failed\n', 3],
  ['Tests: 40 total\nTime: 1.5 s', 1.5],
  ['-3', -3],
  ['tests-3', 3],
  ['All files | 81.25 % |', 81.25],
  ['1,234,567 lines', 1_234_567],
  ['3,14', 14],
  ['\u001b[31m7\u001b[0m', 7],
  ['.5', 0.5],
  ['-.25', -0.25],
  ['1.2e+06', 1_200_000],
  ['3e-2 left', 0.03],
  ['100%', 100],
  ['1.2.3', 1.2],
  ['5 on x86', 5],
  ['v2', null],
  ['none', null],
  ['', null],
])('the last number in %j is %j', (output, number) => {
  expect(lastNumber(output)).toBe(number);
});
