/**
 * List prices of models, in US dollars per million tokens, without the extra charge for very long requests.
 * Many hosts report tokens and no price, so the cost is an estimate from these. Prices change: a person's own
 * entry in config.json comes first. A model has a price only under its exact name: that of a relative may be
 * wrong by a factor of twelve.
 */
import { amount, isRecord, maybe, readAs, record, recordAt } from '#base/shape.ts';
import { modelKey } from './model-key.ts';
import { DEAREST_LISTED, PRICE_LIST } from './price-list.ts';
import type { Tokens } from '../port/stream.ts';

export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** The factor of fast mode on all prices. */
  readonly fast?: number;
  /** The factor for requests with more than this many tokens. */
  readonly long?: { readonly above: number; readonly times: number };
}

/** The list lacks these, or is wrong about them. As Claude Code 2.1.325 uses them. */
const OWN_PRICES: Readonly<Record<string, Price>> = {
  'claude-haiku-5-5': { input: 0.1, output: 0.5, cacheRead: 0.01, long: { above: 100_000, times: 5 } },
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1 },
  'claude-fable-5-2': { input: 8, output: 40, cacheRead: 0.2 },
  'claude-mythos-5-2': { input: 8, output: 40, cacheRead: 0.2 },
  'claude-mythos-5-1': { input: 10, output: 50, cacheRead: 0.25 },
  'claude-mythos-5': { input: 10, output: 50, cacheRead: 1 },
};

/** The list does not know fast mode. */
const FAST_OPUS = /^claude-opus-4-[567]$/;
const FAST_OPUS_FACTOR = 6;

/**
 * For an unknown model. A budget that holds for the most expensive model holds for any, with or without fast
 * mode.
 */
export const DEAREST: Price = {
  input: DEAREST_LISTED[0],
  output: DEAREST_LISTED[1],
  cacheRead: DEAREST_LISTED[2],
  fast: 1,
};

/** Writing to the cache, as a multiple of the input. */
const CACHE_WRITE_FACTOR = 1.25;

const ownPrice = record({ input: amount, output: amount, cachedInput: maybe(amount) });

/** Null: the price is not known. */
export type Prices = (model: string) => Price | null;

/** The models of the list by name. Read when it is first asked for: most programs need no price. */
let listed: ReadonlyMap<string, Price> | null = null;

export const LIST_PRICES: Prices = (model) => {
  listed ??= readPriceList();
  return listed.get(modelKey(model)) ?? null;
};

function readPriceList(): ReadonlyMap<string, Price> {
  const rows = PRICE_LIST.trim().split('\n');
  const prices = rows.flatMap((row): [key: string, price: Price][] => {
    const [input, output, cacheRead, ...keys] = row.split(' ');
    const price = { input: Number(input), output: Number(output), cacheRead: Number(cacheRead) };
    return keys.map((key) => [key, FAST_OPUS.test(key) ? { ...price, fast: FAST_OPUS_FACTOR } : price]);
  });
  return new Map([...prices, ...Object.entries(OWN_PRICES)]);
}

/** `config`: reads the person's config.json. A mistake in it is told elsewhere. */
export function pricesWith(config: () => string | null): Prices {
  const prices = recordAt(readAs(isRecord, config) ?? {}, 'prices');
  return (model) => {
    const own = prices[model];
    return ownPrice(own) ? { ...own, cacheRead: own.cachedInput ?? own.input } : LIST_PRICES(model);
  };
}

export function costAt({ input, output, cacheRead }: Price, used: Tokens): number {
  const perMillion =
    input * (used.input + CACHE_WRITE_FACTOR * used.cacheWrite) +
    output * used.output +
    cacheRead * used.cacheRead;
  return perMillion / 1e6;
}

/**
 * `isBounded`: the cost has a limit, which must not seem unspent. `isDearest`: the price is not known, so
 * that the cost is at most this. Null: it is not known, and no limit depends on it.
 */
export function estimate(model: string | null, used: Tokens, prices: Prices, isBounded: boolean) {
  const price = model === null ? null : prices(model);
  if (price === null && !isBounded) return null;
  return { costUsd: costAt(price ?? DEAREST, used), isDearest: price === null };
}

/** What to do about it, as the end of a sentence. */
const OWN_PRICE = '"prices" in config.json takes a price of your own, and --max-tokens needs none';

/** Of a host that has a list of prices of its own. */
export function sayFree(): string {
  return `the host reports that this model costs nothing, so --max-cost may never end the loop; ${OWN_PRICE}`;
}

export function sayUnpriced(models: string): string {
  return `the price of ${models} is not known, so it is counted like the most expensive model; ${OWN_PRICE}`;
}
