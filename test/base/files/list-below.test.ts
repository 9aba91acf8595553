import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { namesBelow } from '#base/files/list-below.ts';

test('a link to a folder is listed and not followed, on every Node', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'below-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'a/b/file'), '');
  symlinkSync('..', join(root, 'a/up'));
  symlinkSync('b', join(root, 'a/link'));
  symlinkSync('nowhere', join(root, 'a/broken'));
  expect(namesBelow(root).toSorted()).toEqual(
    ['a', 'a/b', 'a/b/file', 'a/broken', 'a/link', 'a/up'].map((name) => join(name)),
  );
});
