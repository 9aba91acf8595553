/** What Claude Code (2.1.325, November 2026) reports of a model's usage, from which we estimate the cost. */
import { recordAt } from '#base/shape.ts';
import { costAt, DEAREST, LIST_PRICES, type Prices } from '../prices/prices.ts';

/** Writing to the cache for an hour, in place of five minutes. */
const CACHE_1H = 2 / 1.25;
/** Fast mode of most models. */
const FAST_MODE_FACTOR = 2;
const WEB_SEARCH_USD = 0.01;
/** The factor for inference restricted to the United States. */
const US_ONLY_FACTOR = 1.1;

export type MessageUsage = Readonly<ReturnType<typeof readUsage>>;

export function costOf(model: string, usage: MessageUsage, prices: Prices = LIST_PRICES): number {
  const price = prices(model) ?? DEAREST;
  const { fast = FAST_MODE_FACTOR, long } = price;
  const { input, output, cacheRead, cache5m, cache1h } = usage;
  const times =
    (usage.fast ? fast : 1) *
    (usage.usOnly ? US_ONLY_FACTOR : 1) *
    (long !== undefined && tokensOf(usage) - output > long.above ? long.times : 1);
  const cacheWrite = cache5m + CACHE_1H * cache1h;
  return times * costAt(price, { input, output, cacheRead, cacheWrite }) + WEB_SEARCH_USD * usage.searches;
}

export function tokensOf({ input, output, cacheRead, cache5m, cache1h }: MessageUsage): number {
  return input + output + cacheRead + cache5m + cache1h;
}

export function readUsage(usage: Readonly<Record<string, unknown>>) {
  const creation = recordAt(usage, 'cache_creation');
  const tools = recordAt(usage, 'server_tool_use');
  const written = numberIn(usage, 'cache_creation_input_tokens');
  const cache1h = Math.min(written, numberIn(creation, 'ephemeral_1h_input_tokens'));
  return {
    input: numberIn(usage, 'input_tokens'),
    output: numberIn(usage, 'output_tokens'),
    cacheRead: numberIn(usage, 'cache_read_input_tokens'),
    cache5m: written - cache1h,
    cache1h,
    searches: numberIn(tools, 'web_search_requests'),
    fast: usage['speed'] === 'fast',
    usOnly: usage['inference_geo'] === 'us',
  };
}

function numberIn(from: Readonly<Record<string, unknown>>, key: string): number {
  const value = from[key];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
