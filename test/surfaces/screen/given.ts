/** A made-up run, and any run at all. */
import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import type { GateSeen, RunEvent } from '#engine/run-event.ts';
import type { Viewport } from '#surfaces/screen/terminal/lines.ts';
import type { Paint } from '#surfaces/screen/terminal/style.ts';
import { openPlain } from '#surfaces/screen/plain.ts';
import { initialScreen, step, type Setting, type ScreenState } from '#surfaces/screen/state.ts';
import { entryLines } from '#surfaces/screen/terminal/scrollback.ts';

const bare = (text: string) => text;
export const NO_PAINT: Paint = {
  bold: bare,
  dim: bare,
  red: bare,
  green: bare,
  yellow: bare,
  cyan: bare,
  inverse: bare,
};

export const START = Date.parse('2026-03-01T10:00:00.000Z');

export function at(seconds: number): string {
  return new Date(START + seconds * 1_000).toISOString();
}

const GATES: readonly GateSeen[] = [
  { gate: 'check', wanted: 'npm test', holds: null, seen: null },
  { gate: 'promise', wanted: 'COMPLETE', holds: null, seen: null },
];

export const SETTING: Setting = {
  gates: GATES,
  budgetUsd: null,
  workedMs: 0,
  costUsd: null,
  tokens: 0,
  silenceMs: null,
};

export class Log extends EventEmitter {
  text = '';
  takes = true;
  write(text: string): boolean {
    this.text += text;
    return this.takes;
  }
}

export function plain(events: readonly RunEvent[], isQuiet = false): string[] {
  const out = new Log();
  const show = openPlain(SETTING, { out, isAscii: false, isQuiet });
  for (const event of events) show.tell(event);
  show.close();
  return out.text.split('\n').slice(0, -1);
}

export function begins(iteration: number, seconds = 0): RunEvent {
  return {
    is: 'iteration-begins',
    at: at(seconds),
    iteration,
    iterations: 10,
    model: 'sonnet',
    session: 'a1b2c3d4',
    feature: null,
    item: null,
  };
}

export function frame(over: Partial<Viewport> & { seconds?: number } = {}): Viewport {
  const { seconds = 0, ...rest } = over;
  return {
    now: START + seconds * 1_000,
    width: 80,
    height: 24,
    style: { paint: NO_PAINT, isAscii: false },
    ...rest,
  };
}

export function run(events: readonly RunEvent[], setting: Setting = SETTING, in_: Viewport = frame()) {
  let state: ScreenState = initialScreen(setting);
  const told: string[] = [];
  for (const event of events) {
    const next = step(state, event);
    state = next.state;
    told.push(...next.told.flatMap((one) => entryLines(one, in_)));
  }
  return { state, told };
}

export const says = (text: string): RunEvent => ({ is: 'says', at: at(1), text });
export const tool = (id: string, name: string, summary: string, seconds = 1): RunEvent => ({
  is: 'tool',
  at: at(seconds),
  id,
  name,
  summary,
});
export const toolEnded = (id: string, text: string, failed = false): RunEvent => ({
  is: 'tool-ended',
  at: at(2),
  id,
  failed,
  text,
  lines: text.split('\n').length,
});
export const JUDGED: Extract<RunEvent, { is: 'judged' }> = {
  is: 'judged',
  at: at(9),
  verdict: 'continue',
  words: 'not done yet',
  gates: [
    { gate: 'check', wanted: 'npm test', holds: true, seen: 'passed' },
    { gate: 'promise', wanted: 'COMPLETE', holds: false, seen: null },
  ],
  missing: ['the promise <promise>COMPLETE</promise> has not been given'],
};
export const USAGE: Extract<RunEvent, { is: 'usage' }> = {
  is: 'usage',
  at: at(3),
  costUsd: 0.42,
  tokens: 128_400,
  contextTokens: 82_000,
  contextWindow: 200_000,
  isReckoned: false,
};

const words = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.lorem({ maxCount: 40 }),
  fc.array(fc.lorem({ maxCount: 5 }), { maxLength: 30 }).map((lines) => lines.join('\n')),
  fc.constantFrom(
    '\u001B[2J\u001B[H\u001B[31mred\u001B[0m',
    '\u001B]0;title\u0007text',
    'a\tb\tc',
    '10 %\r50 %\r100 %',
    '漢字とかな交じり文',
    '👨‍👩‍👧 family, e\u0301',
    '\u001B[5A',
    'x'.repeat(300),
  ),
);
const id = fc.constantFrom('a', 'b', 'c', 'd');
const flag = fc.boolean();
const gates = fc.array(
  fc.record({
    gate: fc.constantFrom('check' as const, 'promise' as const, 'features' as const),
    wanted: words,
    holds: fc.constantFrom(true, false, null),
    seen: fc.option(words),
  }),
  { maxLength: 5 },
);

type Wordless<T> = T extends unknown ? Omit<T, 'at'> : never;

/** Anything but an ending. */
const anyHappening: fc.Arbitrary<Wordless<RunEvent>> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('says' as const), text: words }) },
  { weight: 6, arbitrary: fc.record({ is: fc.constant('tool' as const), id, name: words, summary: words }) },
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('tool-ended' as const),
      id,
      failed: flag,
      text: words,
      lines: fc.nat(9_000),
    }),
  },
  fc.record({
    is: fc.constant('iteration-begins' as const),
    iteration: fc.nat(2_000),
    iterations: fc.option(fc.nat(2_000)),
    model: fc.option(words),
    session: fc.uuid(),
    feature: fc.option(words),
    item: fc.option(words),
  }),
  fc.record({ is: fc.constant('begins' as const), loop: words, text: words }),
  fc.record({ is: fc.constant('subagent' as const), name: words, what: words }),
  fc.record({ is: fc.constant('host-retry' as const), attempt: fc.nat(9), why: words, inMs: fc.nat(90_000) }),
  fc.record({ is: fc.constant('checks-begin' as const), commands: fc.array(words, { maxLength: 5 }) }),
  fc.record({
    is: fc.constant('check-ended' as const),
    command: words,
    passed: flag,
    ms: fc.nat(4_000_000),
    tail: words,
  }),
  fc.record({
    is: fc.constant('judged' as const),
    verdict: fc.constantFrom('continue' as const, 'complete' as const, 'escalate' as const),
    words,
    gates,
    missing: fc.array(words, { maxLength: 4 }),
  }),
  fc.record({
    is: fc.constant('waits' as const),
    for: fc.constantFrom('pause' as const, 'retry' as const, 'limit' as const, 'rate' as const),
    until: fc.constantFrom(at(500), null),
    why: words,
  }),
  fc.record({ is: fc.constant('goes-on' as const) }),
  fc.record({
    is: fc.constant('usage' as const),
    costUsd: fc.option(fc.double({ min: 0, max: 500, noNaN: true })),
    tokens: fc.nat(5_000_000),
    contextTokens: fc.option(fc.nat(200_000)),
    contextWindow: fc.constantFrom(200_000, null),
    isReckoned: fc.boolean(),
  }),
  fc.record({ is: fc.constant('warning' as const), text: words }),
  fc.record({ is: fc.constant('committed' as const), sha: words, files: fc.nat(20) }),
  fc.record({ is: fc.constant('fault' as const), class: words, why: words }),
);

export const anyRun = fc
  .array(anyHappening, { maxLength: 60 })
  .map((all) => all.map((one, n): RunEvent => ({ ...one, at: at(n) })));
