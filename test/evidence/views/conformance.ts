/**
 * What every view owes (src/evidence/views): what it carries of a loop reads back the same, a rendering of
 * ours is nobody's edit however old it is, and what people may change in it is seen. A view's bench says how
 * it does each of these.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '#law/fold/index.ts';
import type { Gate, Mode } from '#law/record/definition.ts';
import type { Event } from '#law/record/events.ts';
import { hasEnded, isLive, type Frame, type Loop } from '#law/loop.ts';
import type { ErrorRecord, VaultPass } from '#evidence/views/vault/format.ts';
import {
  GO_ON,
  MINUTE,
  SECOND,
  after,
  bound,
  check,
  claim,
  created,
  told,
  verdict,
} from '../../law/given.ts';

/** What a loop does not keep, and some views show. */
export interface CardDetails {
  readonly prompt: string;
  readonly iterations: readonly VaultPass[];
  readonly errors: readonly ErrorRecord[];
  readonly moved: { readonly file: string; readonly folder: string } | null;
}

export interface ViewBench {
  readonly render: (loop: Loop, beside: CardDetails) => string;
  /** What the view carries, from the loop. */
  readonly carried: (loop: Loop, beside: CardDetails) => unknown;
  /** The same, from a rendering alone. */
  readonly read: (rendering: string) => unknown;
  /** What was done to it since the rendering `last`. */
  readonly reading: (
    content: string,
    loop: Loop,
    last: string | null,
    beside: CardDetails,
  ) => { readonly is: string };
  /** What people may change, and what is then read. */
  readonly edits: readonly {
    readonly name: string;
    readonly edit: (rendering: string, loop: Loop) => string;
    readonly reads: unknown;
  }[];
}

/** A limit that no generated loop has. */
export const OTHER_LIMIT = 1_234_567;

type Step = 'pass' | 'pause' | 'resume' | 'interrupt' | 'wait' | 'yield' | 'raise' | 'clear' | 'cap';
type End = 'complete' | 'exhaust' | 'time' | 'stale' | 'blocked' | 'cancel' | 'abort';

const STEPS: readonly Step[] = [
  'pass',
  'pause',
  'resume',
  'interrupt',
  'wait',
  'yield',
  'raise',
  'clear',
  'cap',
];
const ENDS: readonly End[] = ['complete', 'exhaust', 'time', 'stale', 'blocked', 'cancel', 'abort'];

/** The events of one step, where the loop can take it. */
function eventsOf(step: Step | End, loop: Loop): Event[] {
  const n = loop.stops + 1;
  const at = after(loop.events * MINUTE);
  const judged = (by: Parameters<typeof verdict>[1]) =>
    isLive(loop) ? [claim(n, { at }), verdict(n, { at, ...by })] : [];
  switch (step) {
    case 'pass':
      return judged({ verdict: GO_ON });
    case 'cap':
      return judged({ verdict: { ...GO_ON, capped: true }, cap: 8 });
    case 'wait':
      return judged({ verdict: { is: 'allow', why: 'background', shells: ['b1'], until: null } });
    case 'yield':
      return judged({ verdict: { is: 'allow', why: 'queue', shells: [], until: null } });
    case 'pause':
      return [{ type: 'paused', at, by: 'terminal', why: 'command' }];
    case 'clear':
      return [bound({ at, session: 's2', how: 'clear' })];
    case 'interrupt':
      return [{ type: 'interrupted', at, why: 'session-end', detail: 'other' }];
    case 'resume':
      return [
        { type: 'resumed', at, by: 'session', session: 's1', process: 100, prompt: 'p9', iterations: null },
      ];
    case 'raise':
      return [{ type: 'amended', at, by: 'terminal', prompt: null, iterations: loop.events + 1_000 }];
    case 'complete':
      return judged({ verdict: { is: 'complete' } });
    case 'exhaust':
      return judged({ verdict: { is: 'exhaust', limit: 'iterations', missing: [] } });
    case 'time':
      return judged({ verdict: { is: 'exhaust', limit: 'time', missing: [] } });
    case 'stale':
      return judged({ verdict: { is: 'exhaust', limit: 'staleness', missing: [] } });
    case 'blocked':
      return judged({ verdict: { is: 'escalate', why: { is: 'blocked', words: 'no key' }, missing: [] } });
    case 'cancel':
      return [{ type: 'cancelled', at, by: 'terminal', prompt: null }];
    case 'abort':
      return [{ type: 'aborted', at, why: 'view', detail: 'garbage', evidence: null }];
  }
}

function stepped(loop: Loop, steps: readonly (Step | End)[]): Loop {
  return steps.reduce<Loop>(
    (now, step) => eventsOf(step, now).reduce<Loop>((l, event) => fold(l, event) ?? l, now),
    loop,
  );
}

/** Text with all that breaks formats: quotes, newlines, colons, dashes, control characters, other scripts. */
const words = fc.string({ unit: 'binary', maxLength: 30 }).map((inside) => `a${inside}z`);
const line = fc.constantFrom(
  '---',
  'Status: COMPLETE',
  'iteration: x',
  '"',
  "'",
  '# a',
  '```',
  '- [ ] b',
  '\r',
  '',
);
const prompt = fc
  .array(fc.oneof(words, line), { minLength: 1, maxLength: 6 })
  .map((lines) => `Do ${lines.join('\n')} now`);

const mode = fc.constantFrom<Mode>('loop', 'issue', 'grind');
const limit = fc.option(fc.integer({ min: 1, max: 1_000_000 }));
const gates = fc.constantFrom<(text: string) => Gate[]>(
  (text) => [{ kind: 'promise', text }],
  () => [check('npm test')],
  (text) => [{ kind: 'promise', text }, check('npm test')],
);
const outer = fc.record<Frame>({
  id: fc.constant(0),
  promptGiven: fc.constant(true),
  items: fc.constant(null),
  item: fc.constant(null),
  handled: fc.constant([]),
  undone: fc.constant([]),
  gone: fc.constant({ count: 0, items: [] }),
  inner: fc.constant({ complete: 0, exhaust: 0, escalate: 0, iterations: 0, last: [] }),
  mode,
  prompt: fc.constant('hash-of-outer'),
  gates: fc.constant([]),
  require: fc.constant('all'),
  atLeast: fc.constant(0),
  iterations: limit,
  passes: fc.nat(20),
  questioned: fc.constant(null),
  itemsPassing: fc.constant(0),
});

const begun = fc
  .record({
    mode,
    iterations: limit,
    gates: fc.tuple(gates, words).map(([make, text]) => make(text)),
    owned: fc.constantFrom('never', 'awaited', 'bound'),
    outer: fc.array(outer, { maxLength: 3 }),
  })
  .map(({ owned, outer: around, ...definition }): Loop => {
    const binding = owned === 'awaited' ? { process: null, how: 'start' as const } : {};
    const loop = told(created(definition), ...(owned === 'never' ? [] : [bound(binding)]));
    return { ...loop, around };
  });

const steps = fc.array(fc.constantFrom(...STEPS), { maxLength: 8 });
const anyLoop = fc
  .tuple(begun, steps, fc.option(fc.constantFrom(...ENDS)))
  .map(([loop, taken, end]) => stepped(loop, end === null ? taken : [...taken, end]));
const openLoop = anyLoop.filter((loop) => !hasEnded(loop));

const preview = words.map((text) => text.replaceAll(/\s+/g, ' '));
const beside = fc.record<CardDetails>({
  prompt,
  iterations: fc.array(fc.tuple(preview, fc.boolean()), { maxLength: 4 }).map((passes) =>
    passes.map(([text, completed], k) => ({
      number: k + 1,
      timestamp: after(k * SECOND),
      output_preview: text,
      completed,
    })),
  ),
  errors: fc
    .array(fc.tuple(preview, fc.boolean()), { maxLength: 3 })
    .map((errors) => errors.map(([message, fatal], k) => ({ timestamp: after(k * SECOND), message, fatal }))),
  moved: fc.option(fc.record({ file: words, folder: words })),
});

export function viewConformance(name: string, bench: ViewBench): void {
  describe(`${name} as a view`, () => {
    it('what it carries reads back the same', () => {
      fc.assert(
        fc.property(anyLoop, beside, (loop, given) => {
          expect(bench.read(bench.render(loop, given))).toEqual(bench.carried(loop, given));
        }),
      );
    });

    it('a rendering is untouched, whether or not the one before is known', () => {
      fc.assert(
        fc.property(openLoop, beside, (loop, given) => {
          const rendering = bench.render(loop, given);
          expect(bench.reading(rendering, loop, rendering, given)).toEqual({ is: 'untouched' });
          expect(bench.reading(rendering, loop, null, given)).toEqual({ is: 'untouched' });
        }),
      );
    });

    it('an old rendering is not an edit, also of a loop that had ended', () => {
      fc.assert(
        fc.property(anyLoop, steps, beside, (loop, more, given) => {
          const old = bench.render(loop, given);
          const now = stepped(loop, ['resume', ...more]);
          expect(bench.reading(old, now, old, given)).toEqual({ is: 'untouched' });
        }),
      );
    });

    it.each(bench.edits)('$name', ({ edit, reads }) => {
      fc.assert(
        fc.property(openLoop, steps, beside, (loop, more, given) => {
          const rendering = bench.render(loop, given);
          const edited = edit(rendering, loop);
          expect(bench.reading(edited, loop, rendering, given)).toEqual(reads);
          expect(bench.reading(edited, loop, null, given)).toEqual(reads);
          // Read late: the loop has gone on, the edit was made all the same.
          expect(bench.reading(edited, stepped(loop, more), rendering, given)).toEqual(reads);
        }),
      );
    });

    it('whatever stands there is read without a throw', () => {
      const anything = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.tuple(fc.nat(), fc.nat(), words),
      );
      fc.assert(
        fc.property(openLoop, beside, anything, (loop, given, what) => {
          const rendering = bench.render(loop, given);
          const content = Array.isArray(what) ? damaged(rendering, what) : what;
          expect(bench.reading(content, loop, rendering, given)).toHaveProperty('is');
          expect(() => bench.read(content)).not.toThrow();
        }),
      );
    });
  });
}

function damaged(rendering: string, [from, length, words]: [number, number, string]): string {
  const at = from % rendering.length;
  return rendering.slice(0, at) + words + rendering.slice(at + (length % 20));
}
