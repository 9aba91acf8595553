/**
 * List prices of models, in US dollars per million tokens, as of November 2026. Many hosts tell tokens and no price, so the
 * cost is an estimate from these. Prices change: a person's own entry in config.json comes first. A new model is one more
 * line; a model whose price is not sure has none.
 */
import { amount, isRecord, maybe, readAs, record, recordAt } from '../core/shape.ts';
import type { Tokens } from './stream.ts';

export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** The factor of fast mode on all prices. */
  readonly fast?: number;
  /** The factor for requests with more than this many tokens. */
  readonly long?: { readonly above: number; readonly times: number };
}

/** By a part of the model's name without its date, more exact ones first: `opus-5` is contained in `opus-5-5`. */
const PRICES: readonly (readonly [name: RegExp, price: Price])[] = [
  // As Claude Code 2.1.325 uses them. Other hosts write `opus-4.5`.
  [/haiku-5[-.]5/, { input: 0.1, output: 0.5, cacheRead: 0.01, long: { above: 100_000, times: 5 } }],
  [/haiku-4[-.]5/, { input: 1, output: 5, cacheRead: 0.1 }],
  [/3[-.]5-haiku/, { input: 0.8, output: 4, cacheRead: 0.08 }],
  [/sonnet-5[-.]5/, { input: 2, output: 10, cacheRead: 0.1 }],
  [/sonnet-5/, { input: 2, output: 10, cacheRead: 0.2 }],
  [/sonnet/, { input: 3, output: 15, cacheRead: 0.3 }],
  [/opus-5[-.]5/, { input: 4, output: 20, cacheRead: 0.2 }],
  [/opus-(?:5|4[-.]8)/, { input: 5, output: 25, cacheRead: 0.5 }],
  [/opus-4[-.][567]/, { input: 5, output: 25, cacheRead: 0.5, fast: 6 }],
  [/opus-4/, { input: 15, output: 75, cacheRead: 1.5 }],
  [/(?:fable|mythos)-5[-.]2/, { input: 8, output: 40, cacheRead: 0.2 }],
  [/(?:fable|mythos)-5[-.]1/, { input: 10, output: 50, cacheRead: 0.25 }],
  [/(?:fable|mythos)-5/, { input: 10, output: 50, cacheRead: 1 }],
  // Of OpenAI and Google, without the extra charge for very long requests. To the end: `-pro` costs twelve times as much.
  [/gpt-4\.1$/, { input: 2, output: 8, cacheRead: 0.5 }],
  [/gpt-4\.1-mini$/, { input: 0.4, output: 1.6, cacheRead: 0.1 }],
  [/gpt-5-nano$/, { input: 0.05, output: 0.4, cacheRead: 0.005 }],
  [/gpt-5(?:-mini|\.1-codex-mini)$/, { input: 0.25, output: 2, cacheRead: 0.025 }],
  [/gpt-5(?:\.1)?(?:-codex|-codex-max|-chat)?$/, { input: 1.25, output: 10, cacheRead: 0.125 }],
  [/gpt-5\.[23](?:-codex|-chat)?$/, { input: 1.75, output: 14, cacheRead: 0.175 }],
  [/gpt-5\.4-nano$/, { input: 0.2, output: 1.25, cacheRead: 0.02 }],
  [/gpt-5\.4-mini$/, { input: 0.75, output: 4.5, cacheRead: 0.075 }],
  [/gpt-5\.4$/, { input: 2.5, output: 15, cacheRead: 0.25 }],
  [/gpt-5\.5$/, { input: 5, output: 30, cacheRead: 0.5 }],
  [/gemini-2\.5-flash$/, { input: 0.3, output: 2.5, cacheRead: 0.03 }],
  [/gemini-2\.5-pro$/, { input: 1.25, output: 10, cacheRead: 0.125 }],
  [/gemini-3-flash$/, { input: 0.5, output: 3, cacheRead: 0.05 }],
  [/gemini-3(?:\.1)?-pro$/, { input: 2, output: 12, cacheRead: 0.2 }],
];

/** For an unknown model. A budget that holds for the most expensive model holds for any. */
export const DEAREST: Price = { input: 15, output: 75, cacheRead: 1.5, fast: 6 };

/** Writing to the cache, as a multiple of the input. */
const CACHE_WRITE = 1.25;

const DATE = /-(?:latest|preview|\d{4}-\d\d-\d\d)$/;

const ownPrice = record({ input: amount, output: amount, cachedInput: maybe(amount) });

/** Null: the price is not known. */
export type Prices = (model: string) => Price | null;

export const LIST_PRICES: Prices = (model) => {
  const name = model.replace(DATE, '');
  return PRICES.find(([part]) => part.test(name))?.[1] ?? null;
};

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
    input * (used.input + CACHE_WRITE * used.cacheWrite) + output * used.output + cacheRead * used.cacheRead;
  return perMillion / 1e6;
}

/**
 * `isBounded`: the cost has a limit, which must not seem unspent. `isDearest`: the price is not known, so that the cost is
 * at most this. Null: it is not known, and no limit depends on it.
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
  return `the host tells that this model costs nothing, so --max-cost may never end the loop; ${OWN_PRICE}`;
}

export function sayUnpriced(models: string): string {
  return `the price of ${models} is not known, so it is counted like the dearest model; ${OWN_PRICE}`;
}
