import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hash } from '#base/hash.ts';
import { fileBlobs } from '#store/file/open-loop.ts';
import { keepPrompt, readPromptText } from '#store/prompts.ts';
import { temporaryFolder } from '../folder.ts';

describe('prompts', () => {
  it.each([
    ['lines', '---\niteration: 3\n---\n'],
    ['CRLF', 'one\r\ntwo\rthree\n'],
    ['a byte order mark', '\uFEFFBOM'],
    ['Unicode', 'naïve 😀 \u2028 \u0000'],
    ['nothing', ''],
    ['a megabyte', 'x'.repeat(1_048_576)],
  ])('come back byte for byte: %s', (_name, prompt) => {
    const dir = temporaryFolder();
    const blobs = fileBlobs(dir);
    expect(readPromptText(blobs, keepPrompt(blobs, prompt))).toBe(prompt);
  });

  it('stand on disk once, and leave nothing half-written behind', () => {
    const dir = temporaryFolder();
    const key = keepPrompt(fileBlobs(dir), 'the task');
    const first = statSync(join(dir, 'prompts', `${key}.md`));
    expect(keepPrompt(fileBlobs(dir), 'the task')).toBe(key);
    expect(statSync(join(dir, 'prompts', `${key}.md`)).ino).toBe(first.ino);
    expect(readdirSync(join(dir, 'prompts'))).toEqual([`${key}.md`]);
    expect(first.mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
  });

  it('one that is missing is an error, not an empty task', () => {
    const dir = temporaryFolder();
    expect(existsSync(join(dir, 'prompts'))).toBe(false);
    expect(() => readPromptText(fileBlobs(dir), hash('never kept'))).toThrow(/the prompt is missing/);
  });
});

describe('the hash', () => {
  it('is a name for a file, of one length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(hash(text)).toMatch(/^[0-9a-z]{22}$/);
      }),
    );
  });

  it('tells texts apart that differ little', () => {
    const texts = Array.from({ length: 20_000 }, (_, k) => `prompt ${k}`);
    const padded = Array.from({ length: 64 }, (_, k) => '\0'.repeat(k));
    expect(new Set([...texts, ...padded].map(hash)).size).toBe(20_064);
  });
});
