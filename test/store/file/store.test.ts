import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepEvidence } from '#store/evidence.ts';
import { replaceFile, homeAt } from '#store/file/home.ts';
import { fileBlobs } from '#store/file/open-loop.ts';
import { fileStore } from '#store/file/store.ts';
import { temporaryFolder } from '../folder.ts';
import { benchFolder, storeConformance } from '../store-conformance.ts';

storeConformance('files', () => {
  const { dir, end } = benchFolder();
  return { open: () => fileStore(homeAt(dir)), end };
});

it('evidence is kept byte for byte, closed to others', () => {
  const bytes = Uint8Array.from([0, 255, 254, 10, 13]);
  const path = keepEvidence(fileBlobs(temporaryFolder()), 'broken', bytes);
  expect(new Uint8Array(readFileSync(path))).toEqual(bytes);
  expect(statSync(path).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
});

it('a file is replaced whole, its folder is made, and nothing is left beside it', () => {
  const dir = temporaryFolder();
  const path = join(dir, 'a', 'b', 'c.json');
  for (const content of ['one', 'two']) replaceFile(path, content);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(readdirSync(join(dir, 'a', 'b'))).toEqual(['c.json']);
  writeFileSync(join(dir, 'file'), '');
  expect(() => replaceFile(join(dir, 'file', 'x'), '')).toThrow(/ENOTDIR/);
});

it('saved hooks that can not be read are an error, and a trust that can not be read trusts nothing', () => {
  const home = homeAt(temporaryFolder());
  for (const content of ['', '{', '[{"id":7}]']) {
    writeFileSync(home.hooks, content);
    writeFileSync(home.trust, content);
    expect(fileStore(home).hooks.read()).toEqual({
      ok: false,
      why: `${home.hooks} is not a list of stop hooks`,
    });
    expect(fileStore(home).trust.find('/project', 'a.json')).toBeNull();
  }
});

it('a machine keeps its id in the state folder, closed to others', () => {
  const home = homeAt(join(temporaryFolder(), 'home'));
  const id = fileStore(home).machine();
  expect(readFileSync(home.machine, 'utf8')).toBe(id);
  expect(fileStore(homeAt(join(temporaryFolder(), 'other'))).machine()).not.toBe(id);
});

it('the id of the machine is made once, whole, and nothing is left beside it', () => {
  const home = homeAt(temporaryFolder());
  const id = fileStore(home).machine();
  expect(id).toMatch(/^[0-9a-z]{12}$/);
  expect(fileStore(home).machine()).toBe(id);
  expect(readdirSync(home.dir)).toEqual(['machine']);
});

it.each(['', 'abc'])('a machine file that a crash cut off (%j) is healed, alike for everybody', (left) => {
  const home = homeAt(temporaryFolder());
  writeFileSync(home.machine, left);
  const id = fileStore(home).machine();
  expect(readFileSync(home.machine, 'utf8')).toBe(id);
  // Another process looked before it was healed, and heals after that.
  writeFileSync(home.machine, left);
  expect(fileStore(home).machine()).toBe(id);
  expect(fileStore(home).machine()).toBe(id);
});
