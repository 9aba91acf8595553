/** The mark of a work tree before a loop has a folder of its own: what its stops are compared with. */
import { contentOf } from '../core/record/mark.ts';
import { treeMark } from '../git/mark.ts';
import type { Runtime } from '../store/runtime.ts';
import { dropTrees } from '../store/tree-store.ts';
import { ownFiles } from '../views/own-files.ts';

/** Null: nobody can tell. */
export async function treeNow(project: string, { store }: Runtime): Promise<string | null> {
  try {
    const trees = store.folder(`marks-${Date.now()}.${process.pid}.begun.tmp`);
    const mark = await treeMark(project, trees, ownFiles({ views: [] }));
    dropTrees(trees);
    return mark && contentOf(mark);
  } catch {
    // A home that can't be written to is told when the loop is made.
    return null;
  }
}
