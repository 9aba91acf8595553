import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { DEAREST, estimate, LIST_PRICES, pricesWith } from '#hosts/prices/prices.ts';
import { PRICE_LIST } from '#hosts/prices/price-list.ts';
import { priceListText } from '../../../scripts/build/prices.mjs';

describe('the list', () => {
  test.each([
    ['gpt-5', 1.25],
    ['openai/gpt-5.1-codex-max', 1.25],
    ['gpt-5.1-codex-mini', 0.25],
    ['gpt-5.4-2026-03-05', 2.5],
    ['gpt-5.4-mini', 0.75],
    ['models/gemini-2.5-pro', 1.25],
    ['gemini-3-pro-preview', 2],
    ['claude-sonnet-4.5', 3],
    ['anthropic/claude-opus-4.5', 5],
    ['claude-opus-4-1-20250805', 15],
    ['claude-opus-4-5[1m]', 5],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3],
    ['bedrock/eu.anthropic.claude-opus-4-6-v1', 5],
    ['claude-haiku-4-5@20251001', 1],
    ['claude-haiku-5-5', 0.1],
    ['claude-mythos-5.2', 8],
    // A release of its own price does not make the model dearer.
    ['gpt-4o', 2.5],
    ['gpt-4.1-nano', 0.1],
    ['o4-mini', 1.1],
    ['codex-mini-latest', 1.5],
    ['gemini-2.5-flash-lite', 0.1],
    ['gemini-2.5-pro-preview-05-06', 1.25],
    ['gpt-5-pro', 15],
    ['gpt-5.5-pro', 30],
    ['o1-pro', 150],
    ['gpt-5.6-sol', 4],
    ['grok-code-fast-1', 0.2],
  ])('%s costs $%d', (model, usd) => expect(LIST_PRICES(model)?.input).toBe(usd));

  // A price of a relative would be wrong by a factor of twelve.
  test.each(['gpt-5.4-max', 'gpt-50', 'claude-opus-9', 'scripted', 'constructor', 'qwen3-coder-plus'])(
    'has no price for %s',
    (model) => expect(LIST_PRICES(model)).toBeNull(),
  );

  it('is what the kept list says now', async () => {
    const file = new URL('../../../src/hosts/prices/price-list.ts', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(await priceListText());
  });

  it('knows no price above that of an unknown model, in any mode', () => {
    const models = PRICE_LIST.split(/\s+/).filter((word) => /[a-z]/.test(word));
    expect(models.length).toBeGreaterThan(250);
    const wrong = [...models, 'claude-haiku-5-5', 'claude-fable-5-2'].filter((model) => {
      const { input = 0, output = 0, cacheRead = 0, fast = 2, long } = LIST_PRICES(model) ?? {};
      const times = (model.startsWith('claude') ? fast : 1) * (long?.times ?? 1);
      const isDearer =
        input * times > DEAREST.input ||
        output * times > DEAREST.output ||
        cacheRead * times > DEAREST.cacheRead;
      return isDearer || !(Math.min(input, output, cacheRead) > 0);
    });
    expect(wrong).toEqual([]);
  });
});

describe("a person's own prices", () => {
  const prices = pricesWith(() => JSON.stringify({ prices: { 'gpt-5': { input: 7, output: 8 }, bad: {} } }));

  it('come first, and what comes from the cache costs as much as the input, if nothing else is said', () => {
    expect(prices('gpt-5')).toMatchObject({ input: 7, output: 8, cacheRead: 7 });
    expect(prices('gpt-5-mini')?.input).toBe(0.25);
  });

  it('are left out where they are no prices, and where the file can not be read', () => {
    expect(prices('bad')).toBeNull();
    const unreadable = pricesWith(() => {
      throw new Error('EISDIR');
    });
    expect(unreadable('gpt-5')?.input).toBe(1.25);
  });
});

describe('an estimate', () => {
  const used = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };

  it('of an unknown model is that of the dearest under a limit of money, and none without', () => {
    expect(estimate('nobodys', used, LIST_PRICES, true)).toEqual({ costUsd: 150, isDearest: true });
    expect(estimate(null, used, LIST_PRICES, true)).toEqual({ costUsd: 150, isDearest: true });
    expect(estimate('nobodys', used, LIST_PRICES, false)).toBeNull();
    expect(estimate('gpt-5', used, LIST_PRICES, false)).toEqual({ costUsd: 1.25, isDearest: false });
  });
});
