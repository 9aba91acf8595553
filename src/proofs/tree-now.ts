/** The mark of a work tree before the loop has a folder of its own. Later stops are compared with it. */
import { contentOf } from '../core/record/mark.ts';
import { treeMark } from '../git/marks/mark.ts';
import type { Runtime } from '../store/runtime.ts';
import { ownFiles } from '../views/names.ts';

export interface BegunTree {
  /** The content of the mark; null if we can't tell. */
  readonly tree: string | null;
  /** The folder with its trees, which tell later which files have changed. The loop takes it over. */
  readonly marks: string | null;
}

/** `into`: a folder that the loop takes over anyway. */
export async function treeNow(project: string, into: string | null, { store }: Runtime): Promise<BegunTree> {
  try {
    const marks = into ?? store.folder(`marks-${Date.now()}.${process.pid}.begun.tmp`);
    const mark = await treeMark(project, marks, ownFiles({ files: { views: [] } }));
    return { tree: mark && contentOf(mark), marks };
  } catch {
    // If the home can't be written to, making the loop reports that.
    return { tree: null, marks: into };
  }
}
