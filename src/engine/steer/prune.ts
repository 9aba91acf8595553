/** Begins the removal of a loop's record. */
import { attempt } from '#base/shape.ts';
import { hasEnded } from '#law/loop.ts';
import { tidyProject } from '#evidence/views/registry.ts';
import type { Runtime } from '#store/runtime.ts';
import { withLoop } from '../look/loops.ts';

/**
 * False: the loop has not ended, or somebody has reopened it. Of a prune and a resume at once, the first line
 * in the record counts, and the other one finds that out.
 */
export function mayRemoveLoop(id: string, runtime: Runtime): boolean {
  const may = withLoop(id, runtime, (open) => {
    // Nobody reopens a loop whose record can't be trusted.
    if (open.broken() !== null) return true;
    const before = open.look();
    if (!hasEnded(before)) return false;
    tidyProject(before.project, runtime);
    // On a disk that is full or read-only nobody can reopen it either.
    const after = attempt(() => open.write({ type: 'pruned', at: runtime.now() }), null);
    return after === null || after.pruned === true;
  });
  return may ?? true;
}
