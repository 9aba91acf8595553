import { describe, expect, test } from 'vitest';
import type { RunEvent } from '#engine/run-event.ts';
import { lineFor, openRepeats, setLines } from '#surfaces/screen/set-lines.ts';
import { setRows } from '#surfaces/screen/set.ts';
import { initialScreen } from '#surfaces/screen/state.ts';
import { at, begins, frame, says, SETTING, tool } from './given.ts';

const warning = (text: string): RunEvent => ({ is: 'warning', at: at(0), text });
const ends = (status: 'completed' | 'exhausted'): RunEvent => ({
  is: 'ends',
  at: at(0),
  status,
  reason: 'x',
  iterations: 2,
  workedMs: 65_000,
  next: null,
  commands: [],
});

function linesOf(n: number, event: RunEvent): string[] {
  const line = lineFor(n, event, initialScreen(SETTING));
  return line === null ? [] : setLines(line, frame({ width: 44 }));
}

describe('a set on a terminal', () => {
  test('a line has the number of its item, and breaks between words', () => {
    expect(linesOf(12, warning('no rule allows a command: it can edit, but not build'))).toEqual([
      '12 ! no rule allows a command: it can edit,',
      '     but not build',
    ]);
  });

  test('an ending says how it went and what it took', () => {
    expect(linesOf(1, ends('completed'))).toEqual([
      '1  ✓ completed: 2 iterations · 1 min 5 s ·',
      '     cost not known',
    ]);
    expect(linesOf(1, ends('exhausted'))).toEqual([
      '1  ✗ exhausted: 2 iterations · 1 min 5 s ·',
      '     cost not known',
    ]);
  });

  test('what an agent says and does is left to its row; a line says why an iteration was not the last', () => {
    const quiet = [says('Hm.'), tool('a', 'Read', 'x'), begins(1), begins(2)];
    expect(quiet.flatMap((event) => linesOf(1, event))).toEqual([]);
    const missing = ['check `ls` failed with exit code 2', 'the promise has not been given'];
    const judged = {
      is: 'judged',
      at: at(0),
      verdict: 'continue',
      words: 'not done yet',
      gates: [],
      missing,
    } as const;
    const line = lineFor(1, judged, { ...initialScreen(SETTING), iteration: 2 });
    expect(line?.text).toBe('iteration 2: check `ls` failed with exit code 2 (and 1 more)');
    expect(linesOf(1, { ...judged, verdict: 'complete', missing: [] })).toEqual([]);
  });

  test('the rows of the loops at work have columns, whatever the lengths of their titles', () => {
    const rows = [
      { n: 1, title: 'Write the parser, and its tests, and the docs of both of them' },
      { n: 12, title: 'Short' },
    ].map((loop) => ({ ...loop, state: { ...initialScreen(SETTING), iteration: 1, costUsd: 0.0064 } }));
    expect(setRows(rows, '0 of 2 merged into main', frame({ width: 80 }))).toEqual([
      '1  Write the parser, and its tests, and th…  iteration 1  $0.0064  ',
      '12 Short                                     iteration 1  $0.0064  ',
      '0 of 2 merged into main, 2 at work, $0.01',
    ]);
  });

  test('what is the same for several items is shown once', () => {
    const isRepeated = openRepeats();
    expect([warning('a'), warning('a'), warning('b'), says('a'), says('a')].map(isRepeated)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
  });
});
