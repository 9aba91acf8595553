/** Reads the `usage` of a message, in a transcript or a stream, for `prices.ts`. */
import { isRecord } from '../../core/shape.ts';
import type { MessageUsage } from './prices.ts';

export function readUsage(usage: Readonly<Record<string, unknown>>): MessageUsage {
  const written = numberIn(usage, 'cache_creation_input_tokens');
  const creation = isRecord(usage['cache_creation']) ? usage['cache_creation'] : {};
  const searches = isRecord(usage['server_tool_use']) ? usage['server_tool_use'] : {};
  const cache1h = Math.min(written, numberIn(creation, 'ephemeral_1h_input_tokens'));
  return {
    input: numberIn(usage, 'input_tokens'),
    output: numberIn(usage, 'output_tokens'),
    cacheRead: numberIn(usage, 'cache_read_input_tokens'),
    cache5m: written - cache1h,
    cache1h,
    searches: numberIn(searches, 'web_search_requests'),
    fast: usage['speed'] === 'fast',
    usOnly: usage['inference_geo'] === 'us',
  };
}

function numberIn(from: Readonly<Record<string, unknown>>, key: string): number {
  const value = from[key];
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
