/** What `dacapo list` shows of the loops of this machine. */
import { planOf, type Loop } from '#law/loop.ts';
import { asSeen } from '#engine/look/status.ts';
import { knownLoop, lookUnder, subjectOf } from '#engine/look/loops.ts';
import type { Runtime } from '#store/runtime.ts';
import { statusOf } from '#telling/loop-status.ts';
import { iterationShown } from '#telling/person/status.ts';
import { ago } from '#telling/time.ts';
import type { GivenFlags } from '../../command.ts';
import { failUnreadable, isElsewhere, projectRoot, sayUnreadLoops, shownPath } from '../../context.ts';
import { paintStatus } from '../../terminal/terminal.ts';
import type { LookRecord } from '../verbs.ts';

export function listHere({ all }: GivenFlags<'all'>, runtime: Runtime): Pick<LookRecord, 'list'> {
  return {
    list: () => {
      const unreadable = failUnreadable(runtime);
      if (unreadable !== null) return unreadable;
      // One look for both: each one asks the disk for every loop of the machine.
      const { seen, unread } = lookUnder(all ? null : projectRoot(), Infinity, runtime, (open) => ({
        loop: knownLoop(open, runtime),
        subject: subjectOf(open),
      }));
      const shown = seen.map(({ loop, ...more }) => ({ ...more, loop: asSeen(loop, runtime) }));
      const now = runtime.now();
      const withProject = all || shown.some(({ loop }) => isElsewhere(loop));
      return {
        loops: shown.map(({ loop }) => statusOf(loop, now)),
        heading: ['LOOP', 'STATUS', 'ITERATION', 'UPDATED', ...(withProject ? ['PROJECT'] : []), 'ABOUT'],
        rows: shown.map(({ loop, subject }) => [
          loop.id,
          paintStatus(loop.status.is),
          sayIteration(loop, now),
          ago(loop.updatedAt, now),
          ...(withProject ? [shownProject(loop)] : []),
          subject,
        ]),
        none: all ? 'No loops yet.' : 'No loops in this project. dacapo list --all shows other projects.',
        notes: sayUnreadLoops(unread),
        isPartial: unread.length > 0,
      };
    },
  };
}

/** In a list of items the limit applies to each item, so the sum of all has none. */
function sayIteration(loop: Loop, now: string): string {
  const { items, iterations } = loop.frame;
  return items === null
    ? `${iterationShown(loop)}/${iterations ?? '∞'}`
    : String(statusOf(loop, now).iteration);
}

/** A loop in a work tree is a loop of the project that it was made from, whose path says more. */
function shownProject(loop: Loop): string {
  const { worktreeOf } = planOf(loop);
  return worktreeOf === null ? shownPath(loop.project) : `${shownPath(worktreeOf)} (work tree)`;
}
