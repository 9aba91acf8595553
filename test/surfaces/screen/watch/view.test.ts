/** The terminal view as rows: pure, at any size. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LoopCard } from '#telling/story/card.ts';
import type { StoryEntry } from '#telling/story/story.ts';
import { keptPlace, watchView } from '#surfaces/screen/watch/view.ts';
import { widthOf } from '#surfaces/screen/terminal/width.ts';
import { beginWatch, type WatchState } from '#surfaces/screen/watch/state.ts';
import { ASKS, card, DONE, iteration, pressing, size, watching } from './given.ts';

const MANY = watching(
  card('A', ASKS),
  card('B', { lastWords: 'The parser is fixed.' }),
  card('C', { proving: ['`npm test`'] }),
  card('D', {
    status: 'paused',
    tone: 'resting',
    group: 'resting',
    says: 'paused after 1 iteration: from a terminal',
  }),
  card('E', DONE),
  card('F', { ...DONE, status: 'cancelled', tone: 'over' }),
);

function withStory(entries: readonly StoryEntry[]): WatchState {
  const { state } = pressing(watching(card('A')), 'enter');
  return { ...state, open: state.open && { ...state.open, entries, total: entries.length } };
}

function entriesOf({ open }: WatchState): { entries: readonly StoryEntry[]; total: number } {
  return { entries: open?.entries ?? [], total: open?.total ?? 0 };
}

describe('the list', () => {
  const rows = watchView(MANY, size(80, 24));
  const text = rows.join('\n');

  it('counts the loops, and shows for each what matters now', () => {
    expect(rows[0]).toMatch(
      /^ Da Capo {2}\/home\/ann\/work {2}2 at work · 1 needs you · 1 at rest · 2 ended/,
    );
    expect(watchView(MANY, size(100, 24))[0]).toMatch(/ended +\d\d:\d\d:\d\d $/);
    expect(rows[3]).toMatch(/^▌ ! waiting {7}2\/20 {2}✗1 ·1 {7}\$1\.05 {4}2:05 {2}Task of A$/);
    expect(rows[4]).toMatch(/^▌ {3}approve\? git push origin main$/);
    expect(text).toContain('The parser is fixed.');
    expect(text).toContain('checking `npm test`');
    expect(text).toContain('paused after 1 iteration: from a terminal');
    expect(text).toMatch(/✓ completed .*Task of E/);
  });

  it('shows the keys that do something here', () => {
    expect(rows.at(-1)).toMatch(/^ a approve {2}x reject .*\? help {2}q quit/);
    expect(watchView(watching(card('B')), size(80, 24)).at(-1)).toMatch(/^ ↑↓ choose {2}Enter open .*q quit/);
    const keysOf = (over: Partial<LoopCard>) =>
      watchView(watching(card('B', over)), size(80, 24))
        .at(-1)
        ?.trim();
    const requests = (ASKS.requests ?? []).map((one) => ({ ...one, kind: 'question' as const }));
    expect(keysOf({ ...ASKS, requests })).toMatch(/^a answer {2}x reject/);
    expect(keysOf({})).toMatch(/s steer {2}p pause {2}c cancel/);
    expect(keysOf({ status: 'paused' })).toMatch(/s steer {2}r resume {2}c cancel/);
    expect(keysOf({ ...DONE, status: 'exhausted' })).toMatch(/open {2}r resume {2}\? help/);
    expect(keysOf(DONE)).toMatch(/open {2}\? help/);
  });

  it('keeps the chosen loop in sight among a thousand', () => {
    const cards = Array.from({ length: 1_000 }, (_, n) => card(`L${n}`));
    const state = { ...watching(...cards), chosen: 'L500' };
    expect(watchView(state, size(80, 24)).join('\n')).toMatch(/▌ ● running.*Task of L500/);
    const last = pressing(state, 'end').state;
    expect(watchView(last, size(80, 24)).join('\n')).toContain(
      '▌ ● running       2/20  ✗1 ·1       $1.05    2:05  Task of L999',
    );
  });

  it('says of a cost that it is estimated', () => {
    const list = watching(card('A', { estimated: true, maxCostUsd: 5 }));
    expect(watchView(list, size(80, 24)).join('\n')).toContain(' ~$1.05 ');
    expect(watchView(pressing(list, 'enter').state, size(80, 24)).join('\n')).toContain(
      'about $1.05 of $5.00',
    );
  });

  it('says what to do where there is nothing', () => {
    const empty = watching();
    expect(watchView(empty, size(80, 24)).join('\n')).toContain('A shows all projects');
    expect(watchView(beginWatch(null), size(80, 24)).join('\n')).toContain('reading the loops');
    expect(watchView({ ...MANY, find: 'nowhere' }, size(80, 24)).join('\n')).toContain('no loop matches');
  });

  it('tells more of the chosen loop on a high screen', () => {
    const chosen = { ...MANY, chosen: 'B' };
    const text = watchView(chosen, size(120, 60)).join('\n');
    expect(text).toMatch(/─{119}/);
    expect(text).toMatch(/ {2}B {2}is running, iteration 2 of 20/);
    expect(text).toMatch(/ {2}gates {4}· promise\n {11}✗ npm test {2}failed with exit code 1/);
    expect(text).toContain('where    /home/ann/work, by a session of host');
    expect(text).toContain('said     “The parser is fixed.”');
    expect(text).toContain('when     started 1 h ago, last event 1 min ago');
    expect(watchView(chosen, size(120, 30)).join('\n')).not.toContain('said     ');
  });

  it('has more columns on a wide screen', () => {
    const everywhere = { ...MANY, root: null };
    expect(watchView(everywhere, size(200, 60))[2]).toMatch(/PROJECT +TASK/);
    expect(watchView(everywhere, size(200, 60))[3]).toMatch(/\/home\/ann\/work +Task of A/);
    expect(watchView(everywhere, size(50, 24))[3]).toBe('▌ ! waiting     Task of A');
  });
});

describe('the open loop', () => {
  it('tells its story, with what was claimed and what was proven', () => {
    const check = {
      name: null,
      command: 'npm test',
      is: 'failed',
      holds: false,
      says: 'failed with exit code 1',
      ms: 12_400,
      tail: 'FAIL parser\n  expected 3',
      evidence: 'stop-2-check.txt',
    } as const;
    const rows = watchView(
      withStory([iteration(0), iteration(1, { word: 'claim refused', checks: [check] })]),
      size(80, 30),
    );
    const text = rows.join('\n');
    expect(rows[2]).toBe('   Task of A');
    expect(text).toContain('● running');
    expect(text).toContain('· promise   ✗ npm test');
    expect(text).toMatch(/Iteration 1 {2}goes on +4:00 · \$0\.21 · /);
    expect(text).toContain('Iteration 2  claim refused');
    expect(text).toContain('✗ npm test failed with exit code 1  12 s');
    expect(text).toContain('FAIL parser');
    expect(text).toContain('… stop-2-check.txt');
    expect(rows.at(-1)).toMatch(/Esc back {2}Tab next tab/);
  });

  it('follows the end, and shows what is further up', () => {
    const story = withStory(Array.from({ length: 100 }, (_, n) => iteration(n)));
    expect(watchView(story, size(80, 24)).join('\n')).toContain('Iteration 100');
    const up = pressing(story, ...Array.from({ length: 30 }, () => 'up')).state;
    const text = watchView(up, size(80, 24)).join('\n');
    expect(text).not.toContain('Iteration 100');
    expect(text).toContain('30 more below');
    expect(watchView(pressing(story, 'home').state, size(80, 24)).join('\n')).toContain('Iteration 1 ');
  });

  it('keeps the place of a reader who has scrolled up', () => {
    const stories = (count: number) => withStory(Array.from({ length: count }, (_, n) => iteration(n)));
    const at = size(80, 24);
    // Home is as far up as there are lines, so that one step down is seen.
    const top = keptPlace(stories(100), pressing(stories(100), 'home').state, at);
    const below = pressing(top, 'down').state;
    expect(watchView(below, at).join('\n')).not.toBe(watchView(top, at).join('\n'));
    // What is added at the end does not move what one reads.
    const grown = { ...stories(103), open: below.open && { ...below.open, ...entriesOf(stories(103)) } };
    const kept = keptPlace(below, grown, at);
    const text = (state: WatchState) => watchView(state, at).slice(8, 22).join('\n');
    expect(text(kept)).toBe(text(below));
    // Who is at the end stays at the end.
    expect(keptPlace(stories(100), stories(103), at).open?.up).toBe(0);
  });

  it('shows the journal and the agent', () => {
    const { state } = pressing(watching(card('A')), 'enter', '2');
    const says = 'continue: npm test failed';
    const told = { type: 'verdict', tone: 'plain', says, evidence: null, isNews: false } as const;
    const journal = [{ at: '2026-03-01T09:58:00.000Z', ...told }];
    const shown = { ...state, open: state.open && { ...state.open, journal } };
    expect(watchView(shown, size(80, 24)).join('\n')).toMatch(/verdict {6}continue: npm test failed/);
    expect(watchView(pressing(shown, '3').state, size(80, 24)).join('\n')).toContain(
      'nothing from the agent yet',
    );
  });
});

describe('the proof', () => {
  it('shows all that the last checks printed', () => {
    const check = {
      name: null,
      command: 'npm test',
      is: 'failed',
      holds: false,
      says: 'failed with exit code 1',
      ms: 12_400,
      tail: '',
      evidence: 'stop-2-check.txt',
    } as const;
    const { state } = pressing(watching(card('A')), 'enter', '4');
    const proofs = [{ stop: 2, check, output: 'first line\n\u001b[31mlast line' }];
    const rows = watchView({ ...state, open: state.open && { ...state.open, proofs } }, size(80, 24));
    expect(rows.join('\n')).toMatch(
      /✗ npm test failed with exit code 1\n {2}stop 2 · 12 s · stop-2-check\.txt\n {2}first line\n {2}last line/,
    );
    expect(watchView(state, size(80, 24)).join('\n')).toContain('no check has run yet');
  });
});

describe('a question', () => {
  it('stands at the bottom with its answer', () => {
    const rows = watchView(pressing(MANY, 'a').state, size(80, 24));
    expect(rows.at(-2)).toBe(' Approve: git push origin main (a rule asks)');
    expect(rows.at(-1)).toContain('y yes');
  });

  it('shows what is typed, and its end where it is long', () => {
    const typed = pressing(MANY, 's', 'x'.repeat(200), 'Z').state;
    expect(watchView(typed, size(80, 24)).at(-1)).toMatch(/^ > x+Z/);
    expect(watchView(pressing(MANY, 's', 'h', 'i').state, size(80, 24)).at(-1)).toBe(' > hi ');
  });
});

describe('any state, at any size', () => {
  const evil = 'a\u001b[2J\u0007\n\t日本語👍\u202e\u200b';
  const states = [
    MANY,
    watching(card('A', { task: evil, lastWords: evil, status: 'running', project: evil })),
    pressing(MANY, '?').state,
    pressing(MANY, 'a').state,
    pressing(MANY, 's', evil).state,
    withStory([iteration(0, { said: evil, item: evil }), iteration(1, { verdict: null })]),
    pressing(withStory([]), '3').state,
    pressing(withStory([]), '4').state,
  ];

  it('fills the window exactly, and nothing moves the cursor', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...states),
        fc.integer({ min: 20, max: 220 }),
        fc.integer({ min: 6, max: 70 }),
        fc.boolean(),
        (state, width, height, isAscii) => {
          const rows = watchView(state, size(width, height, isAscii));
          expect(rows).toHaveLength(height);
          for (const row of rows) {
            expect(widthOf(row)).toBeLessThanOrEqual(width);
            expect(row).not.toMatch(/(?!\u200b)\p{Cc}|\u202e/u);
            expect(row).toMatch(isAscii ? /^[ -~]*$/ : /^/);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
