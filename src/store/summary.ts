/** What a list needs to know of a loop before it opens it. */
import { hasEnded, type Loop } from '../core/loop.ts';
import type { Stored, Summary } from './store.ts';

/** The folder in which the loop works, and the one from which its work tree was made. */
export function projectsOf({ project, run: { plan } }: Loop): readonly string[] {
  return plan === null || plan.worktreeOf === null ? [project] : [project, plan.worktreeOf];
}

/** Null: it can't be read, or has a line that is not an event. Such a loop is opened at each look, which says why. */
export function summaryOf(stored: Stored, stamp: string): Summary | null {
  if (stored.loop === null || stored.broken !== null) return null;
  const { id, loop } = stored;
  return { id, stamp, projects: [...projectsOf(loop)], ended: hasEnded(loop), updatedAt: loop.updatedAt };
}
