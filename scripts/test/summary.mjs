// The end of `.ci/run`: names each test that passed only at its second try, then `N passed, N failed`.
//
//   node scripts/test/summary.mjs RESULTS STATUS     vitest's results as JSON, and the exit code of `npm test`
//
// A run fails, beyond failed tests, where a step before the tests failed, where a test file does not load,
// and where too many tests needed a second try: each of them may be a defect that shows now and then.

import { readFileSync } from 'node:fs';

/** A busy machine makes one or two tests late. */
const MAX_RETRIED_TESTS = 5;

const [path, status] = process.argv.slice(2);
const text = readFileSync(path, 'utf8');
const run = text ? JSON.parse(text) : { numPassedTests: 0, numFailedTests: 0, testResults: [] };

const retried = run.testResults
  .flatMap((file) => file.assertionResults)
  .filter((test) => test.status === 'passed' && test.failureMessages.length > 0);
for (const { fullName, failureMessages } of retried)
  console.log(`\npassed at the second try: ${fullName}\n${firstLines(failureMessages[0])}`);

const isUnstable = retried.length > MAX_RETRIED_TESTS;
if (isUnstable)
  console.log(`\n${retried.length} tests needed a second try; at most ${MAX_RETRIED_TESTS} may.`);

const unloaded = run.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
).length;
const counted = run.numFailedTests + unloaded;
const failed = Number(status) === 0 && !isUnstable ? counted : Math.max(counted, 1);
console.log(`\n${run.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function firstLines(message) {
  return message.split('\n').slice(0, 3).join('\n');
}
