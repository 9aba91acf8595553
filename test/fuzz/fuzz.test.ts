/**
 * Short in every test run, long with `npm run fuzz -- --inputs 1000000`. An input that makes a reader say
 * something of a new kind is changed further. `--keep` adds such inputs to the corpus.
 */
import { describe, expect, test } from 'vitest';
import { corpusOf, keepCorpus, kindOf } from './corpus.ts';
import { chance, mutated } from './mutate.ts';
import type { Target } from './target.ts';
import { TARGETS } from './targets.ts';

const INPUTS = Number(process.env['DACAPO_FUZZ_INPUTS'] ?? 10_000);
const SEED = Number(process.env['DACAPO_FUZZ_SEED'] ?? 1);
const KEEPS = process.env['DACAPO_FUZZ_KEEP'] === '1';
const SLOWEST_MS = 1_000;
const EACH = Math.ceil(INPUTS / TARGETS.length);
/** More would make the kinds that were found first rare. */
const MOST_FOUND = 300;

/** The first input that threw or was slow, so that it can become a test of its own. */
function firstBad({ name, samples, words, read }: Target, seed: number): unknown {
  const by = chance(seed);
  const corpus = corpusOf(name);
  const pool: [string, ...string[]] = [...samples, ...corpus];
  const known = pool.length;
  const kinds = new Set<string>();
  const found: string[] = [];
  for (let n = 0; n < Math.max(EACH, known); n++) {
    const text = n < known ? (pool[n] ?? '') : mutated(pool, words, by);
    const began = process.cpuUsage();
    let said: unknown;
    try {
      said = read(text);
    } catch (error) {
      return { n, text, error };
    }
    const { user, system } = process.cpuUsage(began);
    if ((user + system) / 1_000 > SLOWEST_MS) return { n, text, ms: (user + system) / 1_000 };
    const kind = kindOf(said);
    if (kinds.has(kind) || kinds.size > MOST_FOUND) continue;
    kinds.add(kind);
    if (n < known) continue;
    found.push(text);
    pool.push(text);
  }
  if (KEEPS) keepCorpus(name, found);
  return null;
}

describe(`${EACH} inputs of seed ${SEED} break nothing in`, () => {
  test.each(TARGETS.map((target, at) => ({ ...target, seed: SEED * 1_000 + at })))(
    '$name',
    { timeout: 60_000 + EACH * 40 },
    ({ seed, ...target }) => {
      expect(firstBad(target, seed)).toBeNull();
    },
  );
});
