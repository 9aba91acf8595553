/** What Da Capo writes into a project is not work of the agent's. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeTreeMark } from '#evidence/git/marks/mark.ts';
import { ownFiles } from '#evidence/views/names.ts';
import { put, repository } from '../git/repository.ts';
import { temporaryFolder } from '../../store/folder.ts';

test.each([
  ['a repository', repository],
  ['a plain folder', temporaryFolder],
])('of a progress file its three lines, which stand one behind the other, in %s', async (_, make) => {
  const [dir, store] = [make(), join(temporaryFolder(), 'git')];
  const own = ownFiles({ files: { views: [{ kind: 'progress', file: 'progress.txt' }] } });
  const mark = (...lines: string[]) => {
    put(dir, 'progress.txt', lines.join('\n'));
    return takeTreeMark(dir, store, own);
  };
  const first = await mark('Status: IN_PROGRESS', 'Iteration: 1', 'Max Iterations: 15', '', 'Learnt: a');
  expect(first).not.toBeNull();
  expect(await mark('Status: COMPLETE', 'Iteration: 2', 'Max Iterations: 20', '', 'Learnt: a')).toEqual(
    first,
  );
  expect(
    await mark('Status: IN_PROGRESS', 'Iteration: 1', 'Max Iterations: 15', '', 'Learnt: b'),
  ).not.toEqual(first);
});
