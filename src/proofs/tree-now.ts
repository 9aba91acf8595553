/** The mark of a work tree before a loop has a folder of its own: what its stops are compared with. */
import { join } from 'node:path';
import { contentOf } from '../core/mark.ts';
import { treeMark } from '../git/mark.ts';
import type { Home } from '../store/file/home.ts';
import { dropTrees } from '../store/file/tree-store.ts';
import { ownFiles } from '../views/own-files.ts';

/** Null: nobody can tell. */
export async function treeNow(project: string, home: Home): Promise<string | null> {
  const store = join(home.dir, `marks-${Date.now()}.${process.pid}.begun.tmp`);
  try {
    const mark = await treeMark(project, store, ownFiles({ views: [] }));
    dropTrees(store);
    return mark && contentOf(mark);
  } catch {
    // A home that can't be written to is told when the loop is made.
    return null;
  }
}
