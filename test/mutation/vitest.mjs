/** What tests import from vitest, without vitest around them. */
import * as chai from 'chai';
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  customMatchers,
  getState,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import fc from 'fast-check';

export { describe, it, test } from '@vitest/runner';

// A mutant is killed by the first counterexample; looking for the smallest one takes minutes in all.
fc.configureGlobal({ endOnFailure: true });

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = Object.assign(
  (value, message) => chai.expect(value, message),
  chai.expect,
  globalThis[ASYMMETRIC_MATCHERS_OBJECT],
);
globalThis[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0, currentTestName: '', testPath: '', environment: 'node' }, expect);
expect.getState = () => getState(expect);
expect.setState = (state) => setState(state, expect);
expect.extend = (matchers) => chai.expect.extend(expect, matchers);
expect.extend(customMatchers);
Object.assign(expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
