/** The mark of a work tree before the loop has a folder of its own. Later stops are compared with it. */
import { contentOf } from '#law/record/mark.ts';
import { takeTreeMark } from '../git/marks/mark.ts';
import type { Runtime } from '#store/runtime.ts';
import { ownFiles } from '../views/names.ts';

export interface BegunTree {
  readonly tree: string | null;
  /** The folder with its trees, which tell later which files have changed. The loop takes it over. */
  readonly marks: string | null;
}

/** `into`: a folder that the loop takes over anyway. */
export async function treeNow(project: string, into: string | null, runtime: Runtime): Promise<BegunTree> {
  try {
    const { mark, marks } = await firstMark(project, into, runtime);
    return { tree: mark && contentOf(mark), marks };
  } catch {
    // If the home can't be written to, making the loop reports that.
    return { tree: null, marks: into };
  }
}

/** In a temporary folder if none is given. If no loop takes that over, `dacapo prune` removes it. */
export async function firstMark(project: string, into: string | null, { store }: Runtime) {
  const marks = into ?? store.folder(`marks-${Date.now()}.${process.pid}.tmp`);
  return { mark: await takeTreeMark(project, marks, ownFiles({ files: { views: [] } })), marks };
}
