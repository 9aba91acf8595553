/** How `dacapo run` drives a loop, as names and words. Only what differs from nothing is said. */
import type { Plan } from '../../core/record/plan.ts';
import { duration } from '../../core/words/phrases.ts';

export function sayPlan(plan: Plan): [string, string][] {
  const { context, model, fallbackModel, permissionMode, tools, commit, branch, worktreeOf } = plan;
  const rows: (readonly [string, string | null])[] = [
    [
      'Sessions',
      context.is === 'same' ? 'one for all iterations' : `a new one after ${context.every} ${context.of}`,
    ],
    ['Model', model],
    ['Fallback model', fallbackModel],
    ['Permission mode', permissionMode],
    ['Allowed tools', tools.length === 0 ? null : tools.join(', ')],
    ['Commits', commit === 'none' ? null : commit === 'all' ? 'everything' : 'what each iteration changed'],
    ['Branch', branch],
    ['Work tree of', worktreeOf],
    ['Longest iteration', duration(plan.passMs)],
  ];
  return rows.flatMap(([name, words]) => (words === null ? [] : [[name, words]]));
}
