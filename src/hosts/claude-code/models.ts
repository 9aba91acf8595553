/**
 * List prices of the models, in US dollars per million tokens, as Claude Code 2.1.325 uses them (November 2026). A
 * transcript holds no prices, so we estimate the cost of a session from these. A new model is one more line.
 */
import { recordAt } from '../../core/shape.ts';

export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** The factor of fast mode on all prices. */
  readonly fast: number;
  /** The factor for requests with more than this many tokens. */
  readonly long?: { readonly above: number; readonly times: number };
}

/** By a part of the model's name, longer ones first: `opus-5` is contained in `opus-5-5`. */
const PRICES: readonly (readonly [name: string, price: Price])[] = [
  ['haiku-5-5', { input: 0.1, output: 0.5, cacheRead: 0.01, fast: 2, long: { above: 100_000, times: 5 } }],
  ['haiku-4-5', { input: 1, output: 5, cacheRead: 0.1, fast: 2 }],
  ['3-5-haiku', { input: 0.8, output: 4, cacheRead: 0.08, fast: 2 }],
  ['sonnet-5-5', { input: 2, output: 10, cacheRead: 0.1, fast: 2 }],
  ['sonnet-5', { input: 2, output: 10, cacheRead: 0.2, fast: 2 }],
  ['sonnet', { input: 3, output: 15, cacheRead: 0.3, fast: 2 }],
  ['opus-5-5', { input: 4, output: 20, cacheRead: 0.2, fast: 2 }],
  ['opus-5', { input: 5, output: 25, cacheRead: 0.5, fast: 2 }],
  ['opus-4-8', { input: 5, output: 25, cacheRead: 0.5, fast: 2 }],
  ['opus-4-7', { input: 5, output: 25, cacheRead: 0.5, fast: 6 }],
  ['opus-4-6', { input: 5, output: 25, cacheRead: 0.5, fast: 6 }],
  ['opus-4-5', { input: 5, output: 25, cacheRead: 0.5, fast: 6 }],
  ['opus-4', { input: 15, output: 75, cacheRead: 1.5, fast: 2 }],
  ['fable-5-2', { input: 8, output: 40, cacheRead: 0.2, fast: 2 }],
  ['fable-5-1', { input: 10, output: 50, cacheRead: 0.25, fast: 2 }],
  ['fable-5', { input: 10, output: 50, cacheRead: 1, fast: 2 }],
  ['mythos-5-2', { input: 8, output: 40, cacheRead: 0.2, fast: 2 }],
  ['mythos-5-1', { input: 10, output: 50, cacheRead: 0.25, fast: 2 }],
  ['mythos-5', { input: 10, output: 50, cacheRead: 1, fast: 2 }],
];

/** For an unknown model. A budget that holds for the most expensive model holds for any. */
const DEAREST: Price = { input: 15, output: 75, cacheRead: 1.5, fast: 6 };

/** Writing to the cache, as multiples of the input: kept for five minutes, and for an hour. */
const CACHE_5M = 1.25;
const CACHE_1H = 2;
const WEB_SEARCH_USD = 0.01;
/** The factor for inference restricted to the United States. */
const US_ONLY = 1.1;

export interface MessageUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cache5m: number;
  readonly cache1h: number;
  readonly searches: number;
  readonly fast: boolean;
  readonly usOnly: boolean;
}

export function isPriced(model: string): boolean {
  return PRICES.some(([name]) => model.includes(name));
}

export function costOf(model: string, usage: MessageUsage): number {
  const { input, output, cacheRead, fast, long } =
    PRICES.find(([name]) => model.includes(name))?.[1] ?? DEAREST;
  const request = usage.input + usage.cacheRead + usage.cache5m + usage.cache1h;
  const times =
    (usage.fast ? fast : 1) *
    (usage.usOnly ? US_ONLY : 1) *
    (long !== undefined && request > long.above ? long.times : 1);
  const perMillion =
    input * (usage.input + CACHE_5M * usage.cache5m + CACHE_1H * usage.cache1h) +
    output * usage.output +
    cacheRead * usage.cacheRead;
  return (times * perMillion) / 1e6 + WEB_SEARCH_USD * usage.searches;
}

export function tokensOf({ input, output, cacheRead, cache5m, cache1h }: MessageUsage): number {
  return input + output + cacheRead + cache5m + cache1h;
}

/** Reads the `usage` of a message, in a transcript or a stream. */
export function readUsage(usage: Readonly<Record<string, unknown>>): MessageUsage {
  const written = numberIn(usage, 'cache_creation_input_tokens');
  const creation = recordAt(usage, 'cache_creation');
  const cache1h = Math.min(written, numberIn(creation, 'ephemeral_1h_input_tokens'));
  return {
    input: numberIn(usage, 'input_tokens'),
    output: numberIn(usage, 'output_tokens'),
    cacheRead: numberIn(usage, 'cache_read_input_tokens'),
    cache5m: written - cache1h,
    cache1h,
    searches: numberIn(recordAt(usage, 'server_tool_use'), 'web_search_requests'),
    fast: usage['speed'] === 'fast',
    usOnly: usage['inference_geo'] === 'us',
  };
}

function numberIn(from: Readonly<Record<string, unknown>>, key: string): number {
  const value = from[key];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/**
 * The context windows of Claude Code's models (2.1.325, November 2026). Old models have 200k; newer ones, and any model that
 * the host does not know, have a million. A person can ask for the larger one with `[1m]` in the model's name.
 */
const SMALL = /Model":"[^"[]*(?:claude-3|haiku-4|sonnet-4|opus-4(?:-[0-6]\b|-2|"))[^[]*"/;

export function windowOfModel(model: string): number {
  return windowIn(`Model":"${model}"`);
}

export function windowIn(row: string): number {
  return SMALL.test(row) ? 200_000 : 1_000_000;
}
