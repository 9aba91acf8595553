/**
 * What a killed process leaves in the folder for temporary files is found again, and nothing of anybody else.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { filesIn, findScratch, makeScratch, removeScratch, withScratch } from '#base/files/scratch.ts';
import { temporaryFolder } from '../../store/folder.ts';

const NOW = '2026-01-01T12:00:00.000Z';
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => vi.unstubAllEnvs());

function aged(path: string, hours: number): string {
  const at = (Date.parse(NOW) - hours * 3_600_000) / 1_000;
  utimesSync(path, at, at);
  return path;
}

it.skipIf(process.platform === 'win32')('an old folder of any purpose is a leftover', () => {
  const left = [
    aged(makeScratch('baseline'), 2),
    aged(makeScratch('items'), 2),
    aged(makeScratch('rule'), 2),
  ];
  aged(makeScratch('hooks'), 0.5);
  mkdirSync(join(folder, 'dacapo-of-somebody-else'));
  aged(join(folder, 'dacapo-of-somebody-else'), 2);
  expect(findScratch(NOW)).toEqual(left.toSorted());
  removeScratch(findScratch(NOW));
  expect(left.some((path) => existsSync(path))).toBe(false);
  expect(readdirSync(folder)).toHaveLength(2);
});

it.skipIf(process.platform === 'win32')('of the home folder only a page of ours is a leftover', () => {
  const home = temporaryFolder();
  vi.stubEnv('HOME', home);
  const page = makeScratch('page', home);
  writeFileSync(join(page, 'dacapo.html'), '');
  const written = makeScratch('page', home);
  writeFileSync(join(written, 'mine.md'), '');
  const named = join(home, 'dacapo-page-of-mine');
  mkdirSync(named);
  for (const path of [page, written, named]) aged(path, 2);
  expect(findScratch(NOW)).toEqual([page]);
});

it('a folder goes with its use, also where that fails', async () => {
  await withScratch('index', async (path) => expect(readdirSync(folder)).toEqual([path.split('/').at(-1)]));
  const failing = withScratch('index', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

it('each output gets a file of its own', () => {
  const next = filesIn(folder);
  expect([next(), next()].map((path) => readFileSync(path, 'utf8'))).toEqual(['', '']);
  expect(readdirSync(folder)).toEqual(['1', '2']);
});

it('every temporary folder with a name like ours is made here', () => {
  const src = resolve(import.meta.dirname, '../../../src');
  const makers = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        name.endsWith('.ts') &&
        /mkdtempSync\(join\(tmpdir\(\), .dacapo-\w/.test(readFileSync(join(src, name), 'utf8')),
    )
    .map((name) => name.replaceAll('\\', '/'));
  // The store in memory is for programs that end with it.
  expect(makers).toEqual(['store/memory/store.ts']);
});
