import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutLines } from '#base/process/output.ts';

function cut(chunks: readonly Buffer[], longest?: number): { lines: string[]; skipped: number } {
  const lines: string[] = [];
  const cutter = cutLines((line) => lines.push(line), longest);
  for (const chunk of chunks) cutter.push(chunk);
  cutter.end();
  return { lines, skipped: cutter.skipped() };
}

test('lines come out whole, wherever the chunks were cut', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, sizes) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const chunks: Buffer[] = [];
      let from = 0;
      for (const size of sizes) chunks.push(bytes.subarray(from, (from += size)));
      chunks.push(bytes.subarray(from));
      expect(cut(chunks).lines).toEqual(lines.filter((text) => text !== ''));
    }),
  );
});

test('Windows line ends, empty lines, and a last line without an end', () => {
  expect(cut([Buffer.from('a\r\n\n\nb\nc')]).lines).toEqual(['a', 'b', 'c']);
});

test('a line that is too long is counted and passed over, in one chunk or many', () => {
  const long = Buffer.alloc(8_000_000, 'x');
  const end = Buffer.from('\nafter\n');
  expect(cut([Buffer.from('before\n'), long, end], 1_000)).toEqual({
    lines: ['before', 'after'],
    skipped: 1,
  });
  const pieces = Array.from({ length: 800 }, (_, at) => long.subarray(at * 10_000, (at + 1) * 10_000));
  expect(cut([...pieces, end, ...pieces], 1_000)).toEqual({ lines: ['after'], skipped: 2 });
  expect(cut([Buffer.from('x'.repeat(1_000) + '\n')], 1_000).skipped).toBe(0);
});

test('of a line that is too long nothing is held', () => {
  const cutter = cutLines(() => undefined, 100_000);
  const before = process.memoryUsage();
  // Each chunk is new memory, as from a pipe.
  for (let k = 0; k < 2_000; k++) cutter.push(Buffer.alloc(65_536, 'x'));
  const { arrayBuffers } = process.memoryUsage();
  expect(arrayBuffers - before.arrayBuffers).toBeLessThan(64 * 1024 * 1024);
  expect(cutter.skipped()).toBe(1);
});
