/** What a reviewer is shown of the work: nothing that an agent tells git hides a change from it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diffSince, keepContents } from '#evidence/git/marks/diff.ts';
import { filesModifiedSince, takeTreeMark } from '#evidence/git/marks/mark.ts';
import { temporaryFolder } from '../../store/folder.ts';
import { git, put, repository } from './repository.ts';

const HIDES: Readonly<Record<string, (dir: string) => void>> = {
  'nothing (the control)': () => undefined,
  'a flag: assume unchanged': (dir) => git(dir, 'update-index', '--assume-unchanged', 'a.txt'),
  'a flag: skip the work tree': (dir) => git(dir, 'update-index', '--skip-worktree', 'a.txt'),
  'attributes of the project': (dir) => void put(dir, '.gitattributes', '*.txt -diff\n'),
  'attributes of the clone': (dir) => void put(dir, '.git/info/attributes', '*.txt -diff\n'),
  'another content for the same id': (dir) => {
    const [was, is] = [git(dir, 'rev-parse', 'HEAD:a.txt'), git(dir, 'hash-object', '-w', 'a.txt')];
    git(dir, 'replace', was.trim(), is.trim());
  },
};

it.each(Object.entries(HIDES))('%s', async (_what, hide) => {
  const project = repository();
  const store = temporaryFolder();
  await keepContents({ project, store });
  const began = await takeTreeMark(project, store);
  if (began === null || !('tree' in began)) throw new Error('there is no mark');
  writeFileSync(join(project, 'a.txt'), 'evil\n');
  hide(project);
  expect(await filesModifiedSince(project, began, store)).toContain('a.txt');
  const shown = await diffSince({ project, store }, began.tree);
  expect(shown).toContain('-a\n+evil');
});

it('files of a sparse checkout that are not there are not deleted', async () => {
  const project = repository();
  const store = temporaryFolder();
  git(project, 'sparse-checkout', 'set', '--no-cone', '/a.txt');
  const began = await takeTreeMark(project, store);
  if (began === null || !('tree' in began)) throw new Error('there is no mark');
  expect(began.tree).toBe(git(project, 'rev-parse', 'HEAD^{tree}').trim());
  put(project, 'a.txt', 'two\n');
  expect(await filesModifiedSince(project, began, store)).toEqual(['a.txt']);
});
