import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forScreen, labelForScreen, lineForScreen, toAscii } from '#surfaces/screen/terminal/clean-text.ts';
import { cpuMs } from '../../../cpu.ts';

describe('words of others on our screen', () => {
  test.each([
    ['\u001B[31mred\u001B[0m', 'red'],
    ['\u001B[38:2::255:0:0mred', 'red'],
    ['\u001B[2J\u001B[10;10Hx', 'x'],
    ['\u009B31mred', 'red'],
    ['\u001B]0;a title\u0007text', 'text'],
    ['\u001B]8;;http://example.org\u001B\\link\u001B]8;;\u001B\\', 'link'],
    ['\u001BP1$r0m\u001B\\after', 'after'],
    ['\u001B7\u001B8\u001Bcx\u001B(B', 'x'],
    ['bell\u0007 back\bspace\u007F', 'bell backspace'],
    ['turned \u202Eround', 'turned round'],
    ['a\u2028b\fc', 'a\nb\nc'],
    ['lone \uD800 half', 'lone \uFFFD half'],
    ['<promise>DONE</promise>', '<promise>DONE</promise>'],
  ])('%j', (outside, shown) => {
    expect(forScreen(outside)).toBe(shown);
  });

  test('no control character but tab and newline ever gets through', () => {
    const wild = fc.array(
      fc.oneof(fc.constantFrom('\u001B', '[', ']', '\u009B', '\r', '\u0007', '2J', '5A', '\\'), fc.string()),
    );
    fc.assert(
      fc.property(wild, (parts) => {
        expect(forScreen(parts.join(''))).not.toMatch(/(?![\t\n])\p{Cc}/u);
      }),
    );
  });

  test('of a line that draws over itself the last state is shown', () => {
    expect(lineForScreen('10 %\r50 %\r100 %\r\r')).toBe('100 %');
    expect(lineForScreen('\r\r')).toBe('');
    expect(lineForScreen('\rdone')).toBe('done');
  });

  test('a long row of anything takes no long time', async () => {
    const took = await cpuMs(() => {
      expect(lineForScreen(`${'\r'.repeat(1_000_000)}x`)).toBe('x');
      expect(forScreen(`${'\u0090'.repeat(1_000_000)}x`)).toBe('x');
      expect(forScreen(`${'\u001B]'.repeat(1_000_000)}x`)).toMatch(/x$/);
      expect(forScreen(`\u001B[${'1'.repeat(1_000_000)}\n`)).toMatch(/1\n$/);
    });
    expect(took).toBeLessThan(3_000);
  });

  test('a label is one line', () => {
    expect(labelForScreen('  npm\ttest \\\n  --all\r\n')).toBe('npm test \\ --all');
  });

  test('where the terminal knows no UTF-8 nothing but ASCII is left', () => {
    expect(toAscii('“naïve” – café … ✓ 漢')).toBe('"naive" - cafe ... + ?');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(toAscii(text)).toMatch(/^\p{ASCII}*$/u);
      }),
    );
  });
});
