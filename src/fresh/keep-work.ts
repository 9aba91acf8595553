/**
 * Keeps the work of each pass: a point in git that can be returned to, and a commit where that was asked for. It never
 * ends a loop: what it can't do it says, once.
 */
import { oneLine } from '../core/sanitize.ts';
import { iterationsInAll, type Loop } from '../core/loop.ts';
import { planOf } from '../core/plan.ts';
import type { Refusal } from '../core/refusal.ts';
import type { TreeMark } from '../core/mark.ts';
import type { Runtime } from '../store/runtime.ts';
import { ownFiles } from '../views/own-files.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { treeStore } from '../store/tree-store.ts';
import { commitPass } from '../git/commit.ts';
import { guardWorktree, hasStrayed, sayStrayed } from '../git/touched.ts';
import { recordBeginning, recordPoint, type Point } from '../git/points.ts';
import type { What } from './happening.ts';

export interface Keeper {
  readonly begins: (open: Pick<OpenLoop, 'folder' | 'loop'>) => Promise<void>;
  readonly ended: (open: OpenLoop) => Promise<void>;
}

/** The first line of a commit. */
const SUBJECT = 60;

export function openKeeper(tell: (what: What) => void, world: Runtime): Keeper {
  const said = new Set<string>();
  const complain = ({ message, next }: Refusal) => {
    if (said.has(message)) return;
    said.add(message);
    tell({ is: 'warning', text: `${message} ${next}` });
  };
  let before: Point | null = null;
  /** How many iterations were over when the pass began that is not judged yet. */
  let since: number | null = null;
  let main: TreeMark | null = null;
  return {
    begins: async (open) => {
      const [loop, store] = [open.loop(), treeStore(open)];
      const done = iterationsInAll(loop);
      // It is tried again after a fault: what the first try changed is the agent's work too.
      if (since === done && before !== null) return;
      since = done;
      const { worktreeOf } = planOf(loop);
      main = worktreeOf === null ? null : await guardWorktree(worktreeOf, store, ownFiles(loop));
      const { project } = loop;
      const point = await recordBeginning({ project, store, done, ignored: ownFiles(loop).ignored });
      before = point.ok ? point : null;
      if (!point.ok) complain(withoutGit(point, loop));
    },
    ended: async (open) => {
      const [loop, store] = [open.loop(), treeStore(open)];
      const iteration = iterationsInAll(loop);
      const isSpent = iteration !== since;
      since = null;
      const { worktreeOf, commit } = planOf(loop);
      if (worktreeOf !== null && main !== null) {
        const strayed = sayStrayed(await hasStrayed(worktreeOf, main, store, ownFiles(loop)));
        if (strayed !== null) tell({ is: 'warning', text: strayed });
      }
      if (before === null) return;
      if (commit !== 'none') await makeCommit(loop, store, iteration, before, commit === 'all');
      // A stop that spends no iteration is the end of none.
      if (!isSpent) return;
      const point = await recordPoint({
        project: loop.project,
        store,
        name: String(iteration),
        ignored: ownFiles(loop).ignored,
      });
      if (!point.ok) return complain(point);
      open.write({
        type: 'recorded',
        at: world.now(),
        iteration,
        commit: (commit === 'none' ? null : point.head) ?? point.tree,
        onBranch: commit !== 'none',
      });
      open.keep();
    },
  };

  async function makeCommit(
    loop: Loop,
    store: string,
    iteration: number,
    began: Point,
    includeDirty: boolean,
  ) {
    const subject = oneLine(loop.name ?? loop.id, SUBJECT);
    const message = `${subject}: iteration ${iteration}\n\nMade by Da Capo after iteration ${iteration} of loop ${loop.id}.\n`;
    const made = await commitPass({
      project: loop.project,
      store,
      before: began,
      message,
      includeDirty,
      ignored: ownFiles(loop).ignored,
    });
    if (!made.ok) return complain(made);
    if (made.is === 'committed') tell({ is: 'committed', sha: made.sha, files: made.files.length });
    const yours = made.leftOut.filter(({ why }) => why === 'dirty-before').map(({ path }) => path);
    if (yours.length > 0)
      tell({
        is: 'warning',
        text: `not committed, because you had changed them before: ${oneLine(yours.join(', '), 300)}`,
      });
  }
}

/** Nobody asked for anything that needs git: then there is no option to leave out, only something to know. */
function withoutGit(refusal: Refusal, loop: Loop): Refusal {
  if (refusal.code !== 'no-repository' || planOf(loop).commit !== 'none') return refusal;
  return { ...refusal, next: 'So no iteration is recorded, and dacapo rollback can return to none.' };
}
