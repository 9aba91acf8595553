/** Rule 12, money and tokens. */
import { describe, expect, it } from 'vitest';
import { hasBudget } from '#law/loop.ts';
import { sayContext, sayUsed } from '#telling/person/limits.ts';
import { isCrowded } from '#telling/person/status.ts';
import { sayStarted } from '#telling/person/to-person.ts';
import {
  MINUTE,
  NO_PROOFS,
  after,
  claim,
  created,
  running,
  saying,
  stop,
  tag,
  told,
  verdict,
  decided,
} from './given.ts';

const used = (costUsd: number, tokens: number) => ({ costUsd, tokens });

describe('what was used', () => {
  it('is added up from stop to stop', () => {
    const loop = running(
      {},
      claim(1),
      verdict(1, { used: used(0.5, 100) }),
      claim(2),
      verdict(2),
      claim(3),
      verdict(3, { used: used(0.25, 50) }),
    );
    expect(loop.spent).toEqual(used(0.75, 150));
  });

  it('a verdict that came too late spends nothing', () => {
    const paused = { type: 'paused', at: after(MINUTE), by: 'terminal', why: 'command' } as const;
    const loop = running({}, claim(1), paused, verdict(1, { used: used(1, 1) }));
    expect(loop.spent).toEqual(used(0, 0));
  });

  it.each([
    ['less than both', used(0.4, 40), null],
    ['all the money', used(0.5, 40), { limit: 'cost' }],
    ['all the tokens', used(0.4, 50), { limit: 'tokens' }],
    ['all of both', used(9, 900), { limit: 'cost' }],
    ['nothing that anyone has counted', null, null],
  ])('%s', (_name, since, over) => {
    const loop = running({ costUsd: 1, tokens: 100 }, claim(1), verdict(1, { used: used(0.5, 50) }));
    const judged = decided(loop, stop({ used: since }), NO_PROOFS, after(MINUTE));
    expect(judged).toMatchObject(over === null ? { is: 'continue' } : { is: 'exhaust', ...over });
  });

  it('is counted in a session only where something is limited', () => {
    expect(hasBudget(running())).toBe(false);
    expect(hasBudget(running({ costUsd: 5 }))).toBe(true);
    expect(hasBudget(running({ tokens: 1_000 }))).toBe(true);
  });

  it.each([
    ['money', { costUsd: 1 }, used(0.5, 1e12)],
    ['tokens', { tokens: 100 }, used(1e6, 50)],
  ])('a limit on %s alone limits nothing else', (_name, limit, since) => {
    const judged = decided(running(limit), stop({ used: since }), NO_PROOFS, after(MINUTE));
    expect(judged.is).toBe('continue');
  });

  it('without a limit nothing is too much', () => {
    const judged = decided(running(), stop({ used: used(1e6, 1e12) }), NO_PROOFS, after(MINUTE));
    expect(judged.is).toBe('continue');
  });
});

describe('the law', () => {
  const spent = { used: used(1, 1) };
  const loop = running({ costUsd: 1 });
  const now = after(MINUTE);

  it('ends a loop whose money is used up', () => {
    expect(decided(loop, stop(spent), NO_PROOFS, now)).toMatchObject({ is: 'exhaust', limit: 'cost' });
  });

  it('completion comes first: what is done is done', () => {
    const proofs = { ...NO_PROOFS, said: saying([tag('COMPLETE')]) };
    expect(decided(loop, stop(spent), proofs, now)).toEqual({ is: 'complete' });
  });

  it('people come first', () => {
    const queued = stop({ ...spent, queue: { offset: 0, waiting: 1 } });
    expect(decided(loop, queued, NO_PROOFS, now)).toMatchObject({ is: 'allow', why: 'queue' });
  });

  it('background work does not hold a loop that has no money left', () => {
    const background = [{ id: 'a', kind: 'agent', description: 'tests' } as const];
    const verdictNow = decided(loop, stop({ ...spent, background }), NO_PROOFS, now);
    expect(verdictNow).toMatchObject({ is: 'exhaust', limit: 'cost' });
  });
});

describe('in words', () => {
  it('the start line bounds what is bounded, and says what is not', () => {
    expect(sayStarted(running())).toContain('24 h of work; no limit on cost.');
    const line = sayStarted(running({ costUsd: 2.5, tokens: 500_000, stalls: 10 }));
    expect(line).toContain(
      '24 h of work, $2.50 (estimated from tokens), 500k tokens, 10 stops without a tool call.',
    );
    expect(line).not.toContain('no limit on cost');
    expect(sayStarted(told(created({ costUsd: 5, driver: 'fresh' })))).toContain('24 h of work, $5.00.');
  });

  it('what is used is shown with its bounds, and not at all where nobody counts', () => {
    expect(sayUsed(running())).toBeNull();
    const loop = running({ costUsd: 5 }, claim(1), verdict(1, { used: used(1.25, 40_000) }));
    expect(sayUsed(loop)).toBe('$1.25 of $5.00, 40k tokens');
  });
});

describe('the context', () => {
  it.each([
    [{ tokens: 159_999, window: 200_000 }, false, '80 % of 200k tokens'],
    [{ tokens: 160_000, window: 200_000 }, true, '80 % of 200k tokens'],
    [{ tokens: 620_000, window: 1_000_000 }, false, '62 % of 1M tokens'],
    [{ tokens: 620_000, window: null }, false, '620k tokens'],
  ])('%j', (context, crowded, words) => {
    expect(isCrowded(context)).toBe(crowded);
    expect(sayContext(context)).toBe(words);
  });

  it('is what the last stop knew, and nothing after a compaction', () => {
    const context = { tokens: 5, window: 10 };
    const events = [claim(1), verdict(1, { context }), claim(2), verdict(2)];
    expect(running({}, ...events).session.context).toEqual(context);
    expect(running({}, ...events, { type: 'compacted', at: after(3 * MINUTE) }).session.context).toBeNull();
  });
});
