/** What is to be protected is looked at before a loop begins: what matches nothing is known, and said. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sayPushed, sayStarted, sayWarnings } from '#telling/person/to-person.ts';
import { protectionFor } from '#engine/begin/prepare.ts';
import { running } from '../../law/given.ts';
import { temporaryFolder } from '../../store/folder.ts';

function project(...files: string[]): string {
  const dir = temporaryFolder();
  for (const file of files) {
    mkdirSync(join(dir, dirname(file)), { recursive: true });
    writeFileSync(join(dir, file), 'x');
  }
  return dir;
}

function unmatched(dir: string, ...protect: string[]): readonly string[] {
  const protection = protectionFor(protect, dir);
  if (protection?.ok !== true) throw new Error('it was refused');
  return protection.unmatched;
}

test('patterns that match no file are told from those that do', () => {
  const dir = project('tests/a.test.ts', 'src/a.ts', 'link/b.ts');
  expect(unmatched(dir, 'tests/**', 'src')).toEqual([]);
  expect(unmatched(dir, 'test/**', 'tests/**', '**/*.snap')).toEqual(['test/**', '**/*.snap']);
  expect(unmatched(dir, '{tests,test}/**')).toEqual([]);
  expect(unmatched(dir, join(dir, 'src'), join(dir, 'lib'))).toEqual([join(dir, 'lib')]);
});

test('brackets are plain: a file of that name matches, and anything else is refused', () => {
  const dir = project('app/[id]/page.tsx', 'src/a.ts');
  expect(unmatched(dir, 'app/[id]/**', 'app/[id]/page.tsx')).toEqual([]);
  expect(unmatched(dir, 'docs/a]b[')).toEqual(['docs/a]b[']);
  for (const pattern of ['src/[ab].ts', 'src/[a-z].ts', '[!x]rc/**', 'app/[slug]/**'])
    expect(protectionFor(['src/**', pattern], dir)).toMatchObject({
      ok: false,
      code: 'bad-glob',
      message: expect.stringContaining(`no file matches --protect ${pattern}`),
    });
});

test('one whose files are all taken back keeps none; one that takes back is nothing to note', () => {
  const dir = project('tests/a.test.ts');
  expect(unmatched(dir, 'tests/**', '!tests/data/**')).toEqual([]);
  expect(unmatched(dir, 'tests/**', '!tests/**')).toEqual(['tests/**']);
});

test('it is said at the start of the loop, and not again for a task inside it', () => {
  const loop = running({ protect: ['test/**'], unmatched: ['test/**', 'spec/**'] });
  const note =
    'Note: no file matches --protect test/**, spec/**, so there is nothing to keep; making such a file counts as a change.';
  expect(sayWarnings(loop)).toEqual([note]);
  expect(sayStarted(loop)).toContain(note);
  expect(sayPushed(loop)).not.toContain('--protect');
  expect(sayWarnings(running())).toEqual([]);
});
