import { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '#engine/run-event.ts';
import { openLive } from '#surfaces/screen/live.ts';
import { view } from '#surfaces/screen/view.ts';
import { Emulator } from './emulator.ts';
import { anyRun, at, begins, run, SETTING, START, NO_PAINT } from './given.ts';

const STYLE = { paint: NO_PAINT, isAscii: false };

class Screen extends EventEmitter {
  readonly terminal: Emulator;
  takes = true;
  columns: number;
  rows: number;
  bytes = '';
  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
    this.terminal = new Emulator(columns, rows);
  }
  write(bytes: string): boolean {
    this.bytes = bytes;
    this.terminal.write(bytes);
    return this.takes;
  }
}

const open = (out: Screen, now: () => number = Date.now) =>
  openLive(SETTING, { out, style: STYLE, reflows: true, now });

function trimmed(lines: readonly string[]): string[] {
  const all = lines.map((line) => line.trimEnd());
  while (all.at(-1) === '') all.pop();
  return all;
}

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

function heapUsed(): number {
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

const END: RunEvent = {
  is: 'ends',
  at: at(99),
  status: 'exhausted',
  reason: 'max iterations',
  iterations: 3,
  workedMs: 99_000,
  next: 'rest',
  commands: [],
};

describe('the live view', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('nothing lost, nothing doubled, the status last; at the end the ending last', () => {
    const size = fc.record({ columns: fc.constantFrom(20, 40, 80, 130), rows: fc.constantFrom(10, 12, 24) });
    fc.assert(
      fc.property(
        anyRun,
        size,
        fc.array(fc.nat(300), { minLength: 1 }),
        (events, { columns, rows }, waits) => {
          const out = new Screen(columns, rows);
          // A clock that stands, so that it does not matter when the last frame was drawn.
          const frame = { now: START + 70_000, width: columns, height: rows, style: STYLE };
          const show = open(out, () => frame.now);
          for (const [n, event] of events.entries()) {
            show.tell(event);
            vi.advanceTimersByTime(waits[n % waits.length] ?? 0);
          }
          vi.advanceTimersByTime(100);
          const { told, state } = run(events, SETTING, frame);
          expect(out.terminal.lines()).toEqual(trimmed([...told, ...view(state, frame)]));
          show.tell(END);
          show.tell({ is: 'says', at: at(100), text: 'too late' });
          show.close();
          expect(out.terminal.lines()).toEqual(trimmed(run([...events, END], SETTING, frame).told));
          expect(out.terminal.screen().join('\n')).toContain('max');
          expect([out.terminal.cursorShown, out.terminal.autowrap, out.terminal.x]).toEqual([true, true, 0]);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('draws at most ten frames a second, each in one write', () => {
    const out = new Screen(80, 24);
    const show = open(out);
    for (let n = 0; n < 400; n++) {
      show.tell({ is: 'says', at: at(n), text: `word ${n}` });
      vi.advanceTimersByTime(5);
    }
    expect(out.terminal.writes).toBeLessThanOrEqual(21);
    show.close();
    expect(out.terminal.lines().filter((line) => line !== '')).toHaveLength(400);
  });

  test('waits for a terminal that takes nothing, and says what was dropped meanwhile', async () => {
    const out = new Screen(80, 24);
    const show = open(out);
    out.takes = false;
    show.tell(begins(1));
    vi.advanceTimersByTime(100);
    expect(out.terminal.writes).toBe(1);
    for (let n = 0; n < 100; n++) expect(show.tell({ is: 'says', at: at(1), text: `word ${n}` })).toBe(false);
    vi.advanceTimersByTime(5_000);
    expect(out.terminal.writes).toBe(1);
    for (let n = 100; n < 1_000; n++) show.tell({ is: 'says', at: at(1), text: `word ${n}` });
    out.takes = true;
    const drained = show.drained();
    out.emit('drain');
    await drained;
    await vi.advanceTimersByTimeAsync(200);
    const text = out.terminal.lines().join('\n');
    expect(text).toMatch(/! \d+ entries are not shown: the terminal accepted no output in the meantime/);
    expect(text).toContain('word 999');
    await show.drained();
    show.close();
  });

  test('a resize is drawn at the new width', () => {
    const out = new Screen(80, 24);
    const show = open(out);
    show.tell(begins(1));
    show.tell({ is: 'says', at: at(1), text: 'word '.repeat(30) });
    show.tell({
      is: 'usage',
      at: at(2),
      costUsd: 1,
      tokens: 123_456,
      contextTokens: 1,
      contextWindow: 2,
      isReckoned: false,
    });
    vi.advanceTimersByTime(100);
    expect(out.terminal.lines().at(-2)).toBe('  iteration 1/10 · 0:00 · $1.00 · 123k tokens · context 50 %');
    out.columns = 30;
    out.terminal.resize(30, 24);
    out.emit('resize');
    vi.advanceTimersByTime(100);
    const lines = out.terminal.lines();
    expect(lines.at(-2)).toBe('  1/10 · 0:00 · $1.00 · 50 %');
    expect(lines.filter((line) => line.includes('1/10'))).toHaveLength(1);
    show.close();
    expect(out.terminal.lines().at(-1)).toContain('word');
  });

  test('the clock runs on without happenings, and stands while the loop waits', () => {
    const out = new Screen(80, 24);
    const show = open(out);
    show.tell(begins(1));
    vi.advanceTimersByTime(65_200);
    expect(out.terminal.lines().join('\n')).toContain('iteration 1/10 · 1:05');
    show.tell({ is: 'waits', at: at(65), for: 'limit', until: at(665), why: '' });
    vi.advanceTimersByTime(59_800);
    expect(out.terminal.lines().slice(-2)).toEqual([
      '  iteration 1/10 · 1:05',
      '  waits 9:00 for the usage limit of the host   gates · 2',
    ]);
    show.close();
  });

  test('after a stop of the process the block is drawn anew below', () => {
    const out = new Screen(80, 24);
    const show = open(out);
    show.tell(begins(1));
    vi.advanceTimersByTime(100);
    out.terminal.write('\r\n[1]+ Stopped\r\n$ fg\r\n');
    show.afresh();
    vi.advanceTimersByTime(100);
    expect(out.terminal.lines().slice(-4, -2)).toEqual(['$ fg', '']);
    show.close();
  });

  test('memory stays flat over 100,000 happenings', () => {
    const out = new EventEmitter();
    let written = 0;
    const screen = Object.assign(out, {
      columns: 80,
      rows: 24,
      write: (bytes: string) => (written += bytes.length) > 0,
    });
    const show = openLive(SETTING, { out: screen, style: STYLE, reflows: true, now: Date.now });
    const output = 'line of output\n'.repeat(30);
    const tell = (n: number) => {
      show.tell({ is: 'tool', at: at(n), id: `tool ${n}`, name: 'Bash', summary: `npm test ${n}` });
      // Every tenth never ends.
      if (n % 10 > 0)
        show.tell({ is: 'tool-ended', at: at(n), id: `tool ${n}`, failed: false, text: output, lines: 1 });
    };
    for (let n = 0; n < 5_000; n++) tell(n);
    const before = heapUsed();
    for (let n = 5_000; n < 55_000; n++) tell(n);
    expect(heapUsed() - before).toBeLessThan(8 << 20);
    expect(written).toBeGreaterThan(50_000 * 50);
    show.close();
  }, 60_000);

  test('what is told holds no output of which it shows a few lines', () => {
    const show = open(new Screen(80, 24));
    const before = heapUsed();
    const output = `${'x'.repeat(99)}\n`.repeat(10_000);
    for (let n = 0; n < 200; n++)
      show.tell({ is: 'tool-ended', at: at(n), id: 'a', failed: true, text: `${output}${n}`, lines: 1 });
    expect(heapUsed() - before).toBeLessThan(8 << 20);
    show.close();
  });
});
