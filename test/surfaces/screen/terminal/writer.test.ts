import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draw, NOTHING_DRAWN } from '#surfaces/screen/terminal/writer.ts';
import { Emulator } from '../emulator.ts';

const ESC = '\u001B';
const longLine = fc.stringMatching(/^[a-z]([a-z ]{0,77}[a-z])?$/);
const line = (most: number) => longLine.map((text) => text.slice(0, most).trimEnd());

interface Shot {
  readonly width: number;
  readonly told: readonly string[];
  readonly block: readonly string[];
}

const shot = (width: number): fc.Arbitrary<Shot> =>
  fc.record({
    width: fc.constant(width),
    told: fc.array(line(width - 1), { maxLength: 6 }),
    block: fc.array(line(width - 1), { maxLength: 4 }),
  });

function play(shots: readonly Shot[], terminal: Emulator): Emulator {
  let drawn = NOTHING_DRAWN;
  for (const { told, block, width } of shots) {
    if (width !== terminal.width) terminal.resize(width, terminal.height);
    const next = draw(drawn, { block, width }, told, true);
    if (next.bytes !== '') terminal.write(next.bytes);
    drawn = next.drawn;
    expect(terminal.cursorShown && terminal.autowrap).toBe(true);
  }
  return terminal;
}

function expected(shots: readonly Shot[]): string[] {
  return [...shots.flatMap(({ told }) => told), ...(shots.at(-1)?.block ?? [])];
}

describe('the writer', () => {
  test('nothing lost, nothing doubled, the block last', () => {
    fc.assert(
      fc.property(fc.array(shot(40), { minLength: 1, maxLength: 30 }), (shots) => {
        expect(play(shots, new Emulator(40, 12)).lines()).toEqual(expected(shots));
      }),
      { numRuns: 300 },
    );
  });

  test('the same while the window is resized, where the terminal wraps its lines anew', () => {
    const shots = fc.array(fc.integer({ min: 20, max: 80 }).chain(shot), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(shots, (all) => {
        expect(play(all, new Emulator(all[0]?.width ?? 40, 24)).lines()).toEqual(expected(all));
      }),
      { numRuns: 300 },
    );
  });

  test('where nothing changed nothing is written, and else only the lines that did', () => {
    const first = draw(NOTHING_DRAWN, { block: ['one', 'two', 'three'], width: 40 }, ['told'], true);
    expect(draw(first.drawn, { block: ['one', 'two', 'three'], width: 40 }, [], true).bytes).toBe('');
    const { bytes } = draw(first.drawn, { block: ['one', '2', 'three'], width: 40 }, [], true);
    expect(bytes).toContain('2');
    expect(bytes).not.toContain('one');
    expect(bytes).not.toContain('told');
  });

  test('a terminal that cuts lines off when it gets narrower loses nothing that was told', () => {
    const first = draw(NOTHING_DRAWN, { block: ['x'.repeat(70), 'y'], width: 80 }, ['told'], false);
    expect(draw(first.drawn, { block: ['x', 'y'], width: 20 }, [], false).bytes).toContain(`${ESC}[1A`);
    expect(draw(first.drawn, { block: ['x', 'y'], width: 20 }, [], true).bytes).toContain(`${ESC}[4A`);
  });

  test('an echoed ^C is gone with the next change', () => {
    const terminal = new Emulator(40, 12);
    const first = draw(NOTHING_DRAWN, { block: ['  one', '  two'], width: 40 }, [], true);
    terminal.write(first.bytes);
    terminal.write('^C');
    expect(terminal.lines()).toEqual(['  one', '^Ctwo']);
    terminal.write(draw(first.drawn, { block: ['  1', '  two'], width: 40 }, [], true).bytes);
    expect(terminal.lines()).toEqual(['  1', '  two']);
  });
});
