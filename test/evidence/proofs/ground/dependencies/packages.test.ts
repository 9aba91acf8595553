/** Dependencies of a project: what has changed in them since the start. */
import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { listPackages, packageChanges } from '#evidence/proofs/ground/dependencies/packages.ts';
import { temporaryFolder } from '../../../../store/folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put('package.json', '{}');
  put('node_modules/a/index.js', 'a');
  put('node_modules/@s/b/index.js', 'b');
  put('node_modules/.cache/x', 'x');
});

function put(file: string, content: string): void {
  mkdirSync(join(folder, dirname(file)), { recursive: true });
  writeFileSync(join(folder, file), content);
}

const NONE = { changed: [], added: [], manifests: [] };

describe('packages', () => {
  it('a module that was swapped, planted or removed shows', () => {
    const then = listPackages(folder);
    expect(packageChanges(then, folder)).toEqual(NONE);
    put('node_modules/.cache/x', 'other');
    put('node_modules/@s/b/index.js', 'planted');
    put('node_modules/c/index.js', 'c');
    rmSync(join(folder, 'node_modules/a'), { recursive: true });
    expect(packageChanges(then, folder)).toEqual({
      changed: [
        { path: 'node_modules/@s/b', how: 'changed' },
        { path: 'node_modules/a', how: 'deleted' },
      ],
      added: [{ path: 'node_modules/c', how: 'added' }],
      manifests: [],
    });
  });

  it('a swap of the same size and time shows as well', () => {
    const file = join(folder, 'node_modules/a/index.js');
    const { atime, mtime } = statSync(file);
    const then = listPackages(folder);
    put('node_modules/a/index.js', 'x');
    utimesSync(file, atime, mtime);
    expect(packageChanges(then, folder).changed).toEqual([{ path: 'node_modules/a', how: 'changed' }]);
  });

  it('the same content, installed again, is no change', () => {
    const then = listPackages(folder);
    rmSync(join(folder, 'node_modules/a'), { recursive: true });
    put('node_modules/a/index.js', 'a');
    expect(packageChanges(then, folder)).toEqual(NONE);
  });

  it('a program that a package adds is not a change of the others', () => {
    put('node_modules/.bin/a', 'a');
    const then = listPackages(folder);
    put('node_modules/.bin/c', 'c');
    expect(packageChanges(then, folder)).toEqual({
      ...NONE,
      added: [{ path: 'node_modules/.bin/c', how: 'added' }],
    });
  });

  it('a link that leads elsewhere shows', () => {
    const link = join(folder, 'node_modules/linked');
    symlinkSync('../one', link);
    const then = listPackages(folder);
    rmSync(link);
    symlinkSync('../two', link);
    expect(packageChanges(then, folder).changed).toEqual([{ path: 'node_modules/linked', how: 'changed' }]);
  });
});

describe('what a project asks for', () => {
  it.each(['dependencies', 'devDependencies', 'overrides'])('%s of package.json are part of it', (key) => {
    const then = listPackages(folder);
    put('package.json', JSON.stringify({ [key]: { c: '1' } }));
    expect(packageChanges(then, folder).manifests).toEqual([{ path: 'package.json', how: 'changed' }]);
  });

  it('the rest of package.json is not', () => {
    const then = listPackages(folder);
    put('package.json', JSON.stringify({ version: '2.0.0', scripts: { test: 'true' } }));
    expect(packageChanges(then, folder).manifests).toEqual([]);
  });

  it('a lock file is, wherever dependencies lie', () => {
    put('web/node_modules/x/index.js', 'x');
    const then = listPackages(folder);
    put('web/package-lock.json', '{}');
    expect(packageChanges(then, folder).manifests).toEqual([{ path: 'web/package-lock.json', how: 'added' }]);
  });
});
