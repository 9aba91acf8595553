import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepOutput } from '#base/process/output.ts';
import { cpuMs } from '../../cpu.ts';
import { temporaryFolder } from '../../store/folder.ts';

function kept(chunks: readonly string[], most: { head: number; tail: number }): string {
  const path = join(temporaryFolder(), 'output');
  const { take, close } = keepOutput(openSync(path, 'a'), most);
  for (const chunk of chunks) take(Buffer.from(chunk));
  close();
  take(Buffer.from('too late'));
  return readFileSync(path, 'utf8');
}

describe('kept output', () => {
  test('of a long output the beginning and the end are there, and how much is not', () => {
    const most = { head: 5, tail: 4 };
    expect(kept(['begin', 'a long middle', 'ning', '!end'], most)).toBe(
      'begin\n[Da Capo: 17 bytes were not kept here]\n!end',
    );
    expect(kept(['beginning'], most)).toBe('beginning');
  });

  test('byte by byte it takes no longer, and no more memory', async () => {
    const path = join(temporaryFolder(), 'output');
    const byte = Buffer.from('.');
    const took = await cpuMs(() => {
      const { take, close } = keepOutput(openSync(path, 'a'), { head: 1, tail: 500_000 });
      for (let i = 0; i < 1_000_000; i++) take(byte);
      close();
    });
    expect(readFileSync(path, 'utf8')).toMatch(
      /^\.\n\[Da Capo: 499999 bytes were not kept here\]\n\.{500000}$/,
    );
    expect(took).toBeLessThan(3_000);
  });

  test('whatever the pieces it comes in, nothing is doubled or out of order', () => {
    const most = { head: 7, tail: 5 };
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{0,9}$/), { maxLength: 12 }), (chunks) => {
        const all = chunks.join('');
        const lost = all.length - most.head - most.tail;
        expect(kept(chunks, most)).toBe(
          lost <= 0
            ? all
            : `${all.slice(0, 7)}\n[Da Capo: ${lost} bytes were not kept here]\n${all.slice(-5)}`,
        );
      }),
      { numRuns: 60 },
    );
  });
});
