import { describe, expect, it } from 'vitest';
import { sayCount, sayUsd } from '../../../src/core/words/figures.ts';

describe('figures in words', () => {
  it.each([
    [0, '$0.00'],
    [0.0042, '$0.0042'],
    [0.01, '$0.01'],
    [12.345, '$12.35'],
  ])('%d dollars are %s', (usd, words) => {
    expect(sayUsd(usd)).toBe(words);
  });

  it.each([
    [0, '0'],
    [12.6, '13'],
    [999, '999'],
    [1_000, '1k'],
    [1_234, '1.23k'],
    [9_994, '9.99k'],
    [10_000, '10k'],
    [12_345, '12.3k'],
    [10_060, '10.1k'],
    [123_456, '123k'],
    [100_040, '100k'],
    [100_600, '101k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [1_250_000, '1.25M'],
  ])('%d is %s', (count, words) => {
    expect(sayCount(count)).toBe(words);
  });
});
