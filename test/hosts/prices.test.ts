import { describe, expect, it, test } from 'vitest';
import { estimate, LIST_PRICES, pricesWith } from '../../src/hosts/prices.ts';

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
  ])('%s costs $%d', (model, usd) => expect(LIST_PRICES(model)?.input).toBe(usd));

  // A price of a relative would be wrong by a factor of twelve.
  test.each([
    'gpt-5.4-pro',
    'gpt-5.6-sol',
    'gpt-50',
    'gemini-2.5-flash-lite',
    'scripted',
    'qwen3-coder-plus',
  ])('has no price for %s', (model) => expect(LIST_PRICES(model)).toBeNull());
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
    expect(estimate('nobodys', used, LIST_PRICES, true)).toEqual({ costUsd: 15, isDearest: true });
    expect(estimate(null, used, LIST_PRICES, true)).toEqual({ costUsd: 15, isDearest: true });
    expect(estimate('nobodys', used, LIST_PRICES, false)).toBeNull();
    expect(estimate('gpt-5', used, LIST_PRICES, false)).toEqual({ costUsd: 1.25, isDearest: false });
  });
});
