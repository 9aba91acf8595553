/** Money, tokens and context, as a person and an agent read them. */
import { describe, expect, it } from 'vitest';
import type { Definition } from '#law/record/definition.ts';
import type { Used } from '#law/record/events.ts';
import { sayCrowded } from '#telling/context-warnings.ts';
import { sayTerms } from '#telling/person/to-person.ts';
import { sayUse } from '#law/words/figures.ts';
import { sayContext, sayUsed } from '#telling/person/limits.ts';
import { isCrowded } from '#telling/person/status.ts';
import { claim, running, verdict } from '../law/given.ts';

function spent(used: Used | null, definition: Partial<Definition> = {}): string | null {
  return sayUsed(running(definition, claim(1), verdict(1, { used })));
}

describe('what was used', () => {
  it('is said to be not counted where nobody counts and nothing is bounded', () => {
    expect(spent(null)).toBe('not counted (in a session, --max-cost counts it)');
  });

  it('is said as soon as anything was counted, or is bounded', () => {
    expect(spent({ costUsd: 0, tokens: 5 })).toBe('5 tokens');
    expect(spent({ costUsd: 0.5, tokens: 0 })).toBe('$0.50, 0 tokens');
    expect(spent(null, { costUsd: 5 })).toBe('$0.00 of $5.00, 0 tokens');
    expect(spent(null, { tokens: 2_000 })).toBe('0 of 2k tokens');
    expect(spent({ costUsd: 1, tokens: 1_500 }, { costUsd: 5, tokens: 2_000 })).toBe(
      '$1.00 of $5.00, 1.5k of 2k tokens',
    );
  });

  it('of a pass or a reviewer without a price names its tokens, and no price', () => {
    expect(sayUse({ costUsd: 0, tokens: 120 })).toBe('120 tokens, cost not known');
    expect(sayUse({ costUsd: 0, tokens: 0 })).toBe('an unknown number of tokens, cost not known');
    expect(sayUse({ costUsd: 0.02, tokens: 120, estimated: true })).toBe('about $0.02, 120 tokens');
  });

  it('is bounded in words: estimated where a session tells no price', () => {
    expect(sayTerms(running())).not.toMatch(/\$|tokens/);
    expect(sayTerms(running({ costUsd: 5, tokens: 2_000 }))).toContain(
      ', $5.00 (estimated from tokens), 2k tokens',
    );
    expect(sayTerms({ ...running({ costUsd: 5 }), driver: 'fresh' })).toMatch(/, \$5\.00[,.]/);
  });
});

describe('the context', () => {
  it('is said in per cent where its window is known', () => {
    expect(sayContext({ tokens: 50_000, window: 200_000 })).toBe('25 % of 200k tokens');
    expect(sayContext({ tokens: 50_000, window: null })).toBe('50k tokens');
  });

  it('is crowded from four fifths on', () => {
    expect(isCrowded({ tokens: 160_000, window: 200_000 })).toBe(true);
    expect(isCrowded({ tokens: 159_999, window: 200_000 })).toBe(false);
    expect(isCrowded({ tokens: 159_999, window: null })).toBe(false);
    expect(isCrowded(null)).toBe(false);
  });

  it('that is crowded is told to the agent with what to do, and to the person', () => {
    const { toAgent, toPerson } = sayCrowded({ tokens: 170_000, window: 200_000 });
    expect(toAgent).toBe(
      'Your context is at 85 % of 200k tokens, and will soon be compacted. Whatever is only in the context is then lost. Note your progress, what you have learned and what comes next in files of the project now.',
    );
    expect(toPerson).toBe(
      'The context is at 85 % of 200k tokens; the agent is told to note its progress in files.',
    );
    expect(sayCrowded(null).toPerson).toContain('at nearly full;');
  });
});
