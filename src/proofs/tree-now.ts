/** The mark of a work tree before the loop has a folder of its own. Later stops are compared with it. */
import { contentOf } from '../core/record/mark.ts';
import { treeMark } from '../git/marks/mark.ts';
import type { Runtime } from '../store/runtime.ts';
import { dropTrees } from '../store/tree-store.ts';
import { ownFiles } from '../views/own-files.ts';

/** Returns null if we can't tell. */
export async function treeNow(project: string, { store }: Runtime): Promise<string | null> {
  try {
    const trees = store.folder(`marks-${Date.now()}.${process.pid}.begun.tmp`);
    const mark = await treeMark(project, trees, ownFiles({ views: [] }));
    dropTrees(trees);
    return mark && contentOf(mark);
  } catch {
    // If the home can't be written to, making the loop reports that.
    return null;
  }
}
