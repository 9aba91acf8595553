/** What has changed in a work tree since a mark, as text. */
import { withScratch } from '#base/files/scratch.ts';
import { git, readable, saidBy } from '../git.ts';
import { storeEnvironment } from '../repository.ts';
import { operand, operands } from '../words.ts';
import { makeGitFolder } from '../worktree/check-out-tree.ts';
import { snapshotFor, type LoopTree } from './snapshot.ts';

const PLAIN = ['diff', '--no-color', '--no-renames'] as const;

/**
 * Marks hold no contents. This stores those of now beside them, so that a later diff can show what they were.
 */
export async function keepContents(place: LoopTree): Promise<void> {
  await snapshotFor({ ...place, seesHidden: true }, async () => null);
}

/**
 * Null: it can't be told. Git gets a folder of our own with the attributes of the start: those of now, which
 * an agent may have written, could say that a file is binary and has nothing to show.
 */
export async function diffSince(place: LoopTree, since: string): Promise<string | null> {
  const shown = await snapshotFor({ ...place, seesHidden: true }, (repository, { tree }) =>
    withScratch('index', async (scratch) => {
      const own = makeGitFolder(scratch, repository.format);
      const at = { at: own.GIT_WORK_TREE, env: { ...own, ...storeEnvironment(repository, place.store) } };
      await git(['read-tree', operand(since)], at);
      const diff = async (...flags: '--name-status'[]) =>
        saidBy(await git([...PLAIN, ...flags, ...operands(since, tree)], at));
      // A content that was not kept at the start can't be shown, but the name of its file can.
      return (await diff()) ?? (await diff('--name-status'));
    }),
  );
  return typeof shown === 'string' ? readable(shown) : null;
}
