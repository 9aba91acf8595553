/** Marks the work tree. If the trees of two marks are equal, nothing changed in between. */
import type { Facts } from '#law/stop.ts';
import { contentOf } from '#law/record/mark.ts';
import { takeTreeMark } from '#evidence/git/marks/mark.ts';
import { restoreEnvironment } from '#evidence/proofs/environment.ts';
import { ownFiles } from '#evidence/views/names.ts';
import { treeStore } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';

interface MarkedTree extends Pick<Facts, 'tree'> {
  readonly note: string | null;
}

export async function markTree(open: OpenLoop, runtime: Runtime): Promise<MarkedTree> {
  const loop = open.loop();
  let note: string | null = null;
  const unknown = (why: string) => {
    const says = `the work tree can't be compared: ${why.replace(/\.$/, '')}`;
    runtime.log(`loop=${loop.id} ${says}`);
    if (runtime.store.once.isNews(`${loop.id} unmarked`))
      note = `Da Capo: ${says}. Until it can, only tool calls show whether the loop makes progress.`;
  };
  restoreEnvironment(open, runtime);
  const mark = await takeTreeMark(loop.project, treeStore(open), { ...ownFiles(loop), unknown });
  return { tree: mark && contentOf(mark), note };
}
