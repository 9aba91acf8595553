import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepStream } from '#engine/driver/pass/run-pass.ts';
import { temporaryFolder } from '../../../store/folder.ts';

test('keeps the bytes as they came, for the user alone', () => {
  const path = join(temporaryFolder(), 'stream.jsonl');
  const file = keepStream(path);
  file.write(Buffer.from('{"a":1}\n{"b"'));
  file.write(Buffer.from(':2}\n'));
  file.close();
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"b":2}\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('stops at its bound, and says so in a line like the others', () => {
  const path = join(temporaryFolder(), 'stream.jsonl');
  const file = keepStream(path, 10);
  for (let k = 0; k < 100; k++) file.write(Buffer.from('0123456\n'));
  file.close();
  const [first, second, note] = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect([first, second]).toEqual(['0123456', '01']);
  expect(JSON.parse(note ?? '')).toEqual({ type: 'dacapo', note: 'cut here', bytes: 800, kept: 10 });
});

test.runIf(process.platform === 'linux')('a full disk or a folder that is gone is no reason to fail', () => {
  for (const path of ['/dev/full', '/nowhere/at/all', null]) {
    const file = keepStream(path);
    expect(() => {
      file.write(Buffer.from('much'));
      file.close();
    }).not.toThrow();
  }
});
