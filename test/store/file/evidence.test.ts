import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepEvidence } from '../../../src/store/file/evidence.ts';
import { temporaryFolder } from '../folder.ts';

it('evidence is never overwritten: a name that is taken gets a number', () => {
  const dir = temporaryFolder();
  const paths = ['one', 'two', 'three'].map((content) => keepEvidence(dir, 'rejected-x.local.md', content));
  expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(['one', 'two', 'three']);
  expect(readdirSync(join(dir, 'evidence')).sort()).toEqual([
    'rejected-x.local-2.md',
    'rejected-x.local-3.md',
    'rejected-x.local.md',
  ]);
});

it('evidence is kept byte for byte, closed to others', () => {
  const dir = temporaryFolder();
  const bytes = Uint8Array.from([0, 255, 254, 10, 13]);
  const path = keepEvidence(dir, 'broken', bytes);
  expect(new Uint8Array(readFileSync(path))).toEqual(bytes);
  expect(statSync(path).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
});
