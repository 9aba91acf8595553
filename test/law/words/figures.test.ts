import { describe, expect, it } from 'vitest';
import { sayCost, sayCostFigure, sayCount, sayUsd } from '#law/words/figures.ts';

describe('figures in words', () => {
  it.each([
    [0, '$0.00'],
    [0.0042, '$0.0042'],
    [0.01, '$0.01'],
    [12.345, '$12.35'],
  ])('%d dollars are %s', (usd, words) => {
    expect(sayUsd(usd)).toBe(words);
  });

  it('an unknown cost is not $0.00', () => {
    expect(sayCost({ costUsd: 0 })).toBe('cost not known');
    expect(sayCostFigure({ costUsd: 0 })).toBe('not known');
    expect(sayCost({ costUsd: 0.5 })).toBe('$0.50');
    expect(sayCostFigure({ costUsd: 0.5, estimated: true })).toBe('about $0.50');
  });

  it('only a budget counts from zero', () => {
    expect(sayCost({ costUsd: 0 }, 5)).toBe('$0.00 of $5.00');
    expect(sayCostFigure({ costUsd: 0 }, 5)).toBe('$0.00 of $5.00');
  });

  it.each([
    [0, '0'],
    [12.6, '13'],
    [999, '999'],
    [1_000, '1k'],
    [1_234, '1.23k'],
    [9_994, '9.99k'],
    [10_000, '10k'],
    [10_000_000, '10M'],
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
