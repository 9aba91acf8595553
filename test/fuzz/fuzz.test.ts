/** Short in every test run, long with `npm run fuzz -- --inputs 1000000`. */
import { describe, expect, test } from 'vitest';
import { chance, mutated } from './mutate.ts';
import { TARGETS, type Target } from './targets.ts';

const INPUTS = Number(process.env['DACAPO_FUZZ_INPUTS'] ?? 10_000);
const SEED = Number(process.env['DACAPO_FUZZ_SEED'] ?? 1);
const SLOWEST_MS = 1_000;
const EACH = Math.ceil(INPUTS / TARGETS.length);

/** The first input that threw or was slow, so that it can become a test of its own. */
function firstBad({ samples, words, read }: Target, seed: number): unknown {
  const by = chance(seed);
  for (let n = 0; n < EACH; n++) {
    const text = mutated(samples, words, by);
    const began = process.cpuUsage();
    try {
      read(text);
    } catch (error) {
      return { n, text, error };
    }
    const { user, system } = process.cpuUsage(began);
    if ((user + system) / 1_000 > SLOWEST_MS) return { n, text, ms: (user + system) / 1_000 };
  }
  return null;
}

describe(`${EACH} inputs of seed ${SEED} break nothing in`, () => {
  test.each(TARGETS.map((target, at) => ({ ...target, seed: SEED * 1_000 + at })))(
    '$name',
    { timeout: 60_000 + EACH * 10 },
    ({ seed, ...target }) => {
      expect(firstBad(target, seed)).toBeNull();
    },
  );
});
