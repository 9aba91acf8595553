import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failingLines, failingPart } from '#telling/failing.ts';
import { cpuMs } from '../cpu.ts';

const filler = (count: number, line = '  ✓ something passes') => Array.from({ length: count }, () => line);

describe('the failing part of an output', () => {
  it.each([
    ['FAIL test/auth.test.ts > logs in', 'a test runner'],
    ['not ok 17 - logs in', 'TAP'],
    ['src/auth.ts(3,5): error TS2322: Type string is not assignable', 'a compiler'],
    ['  ✗ logs in', 'a spec'],
    ["TypeError: Cannot read properties of undefined (reading 'id')", 'a stack'],
    ["thread 'main' panicked at src/main.rs:4:5", 'Rust'],
    ['Traceback (most recent call last):', 'Python'],
  ])('is kept with what stands around it, and the end too: %s (%s)', (line) => {
    const output = [
      ...filler(200),
      'suite: auth',
      line,
      '    expected 1 to be 2',
      ...filler(200),
      'Tests  1 failed | 400 passed',
    ].join('\n');
    const part = failingPart(output, 1_000);
    expect(part.length).toBeLessThanOrEqual(1_010);
    expect(part).toContain(`suite: auth\n${line}\n    expected 1 to be 2`);
    expect(part.endsWith('Tests  1 failed | 400 passed')).toBe(true);
  });

  it.each([
    '0 errors, 0 warnings',
    'no failures',
    '  ✓ throws an Error',
    'ok 3 - reports an error',
    'PASS error.test.ts',
  ])('%j is none', (line) => {
    const output = [line, ...filler(200, 'line'), 'the end'].join('\n');
    expect(failingPart(output, 400)).not.toContain(line);
  });

  it('leaves calls within Node out of the lines that matter most', () => {
    const frames = ['resolve:283:11', 'loader:708:12', 'loader:657:25'].map(
      (at) => `#     at f (node:internal/modules/${at})`,
    );
    const output = [
      '# TypeError: x is not a function',
      ...frames,
      '#     at parse (src/parse.js:4:2)',
      ...filler(9),
      '# fail 1',
    ];
    expect(failingLines(output.join('\n'), 3)).toEqual([
      '# TypeError: x is not a function',
      '#     at parse (src/parse.js:4:2)',
      '  ✓ something passes',
    ]);
  });

  it('is the whole of what is short, and the end of what names no failure', () => {
    expect(failingPart('2 failed\n', 100)).toBe('2 failed');
    expect(failingPart([...filler(100, 'a line'), 'the end'].join('\n'), 100)).toMatch(
      /^…\n(a line\n)+the end$/,
    );
  });

  it('has three lines before the failure, then as much as half of the room, then the end', () => {
    const output = ['zero', 'one', 'two', 'three', 'FAIL x', ...filler(100, 'line'), 'the end'].join('\n');
    expect(failingPart(output, 60)).toBe(
      '…\none\ntwo\nthree\nFAIL x\nline\nline\n…\nline\nline\nline\nline\nthe end',
    );
    const early = ['one', 'FAIL x', ...filler(100, 'line'), 'the end'].join('\n');
    expect(failingPart(early, 40)).toMatch(/^one\nFAIL x\nline\n/);
  });

  it('gives all room to the end where the failure stands in it', () => {
    const output = [...filler(100, 'line'), 'FAIL x', 'the end'].join('\n');
    expect(failingPart(output, 100)).toMatch(/^…\n(line\n)+FAIL x\nthe end$/);
    expect(failingPart(output, 100).match(/FAIL/g)).toHaveLength(1);
  });

  it('begins at the beginning where the failure stands in the third line', () => {
    const output = ['one', 'two', 'FAIL x', ...filler(100, 'line'), 'the end'].join('\n');
    expect(failingPart(output, 60)).toMatch(/^one\ntwo\nFAIL x\n/);
  });

  it('has no empty line where it is cut at the end of a line', () => {
    const output = ['zero', 'one', 'two', 'three', 'FAIL x', ...filler(100, 'line'), 'the end'].join('\n');
    for (const most of [60, 61, 62, 63, 64]) expect(failingPart(output, most)).not.toContain('\n\n');
  });

  it('is told once, whatever the room', () => {
    const output = [...filler(50, 'x'), 'FAIL it', 'seen', 'the end'].join('\n');
    for (let most = 30; most <= output.length; most++)
      expect(failingPart(output, most).match(/FAIL/g)).toHaveLength(1);
  });

  it('is bounded whatever the output', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 5_000, unit: 'binary' }),
        fc.integer({ min: 50, max: 2_000 }),
        (output, most) => {
          expect(failingPart(output, most).length).toBeLessThanOrEqual(most + 6);
        },
      ),
    );
  });

  it('is found in a line of 500 KB in no time, whatever the line is made of', async () => {
    const took = await cpuMs(() => {
      for (const piece of ['x', '0', 'é', ' ', '\t', 'Error_', 'fail', '\u001b[', '<', '…'])
        failingPart(`${piece.repeat(500_000 / piece.length)}\nFAIL it\nthe end`, 2_000);
    });
    // A search that is quadratic in the length takes a minute for one of them.
    expect(took).toBeLessThan(10_000);
  }, 60_000);
});

it.each(['#', 'ℹ'])('the few lines that matter leave out what frames a failure of Node (%s)', (sign) => {
  const counts = ['cancelled 0', 'skipped 0', 'todo 0', 'duration_ms 51.2', 'suites 0'];
  const output = ['✖ adds', 'expected 1 to be 2', `${sign} fail 1`, ...counts.map((one) => `${sign} ${one}`)];
  expect(failingLines(output.join('\n'), 3)).toEqual(output.slice(0, 3));
});

it('the few lines that matter begin where Node tells what failed', () => {
  const names = ['✖ adds', '✔ divides', 'ℹ tests 2', 'ℹ fail 1', '✖ failing tests:'];
  const details = [
    'test at a.test.mjs:1:63',
    '✖ adds',
    '  AssertionError [ERR_ASSERTION]: 4 == 2',
    ...filler(9),
  ];
  const shown = failingLines([...names, ...details].join('\n'), 6);
  expect(shown.slice(0, 2)).toEqual(details.slice(1, 3));
});
