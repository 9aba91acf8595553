/** How `dacapo run` drives a loop, as names and words. Options that are not set are left out. */
import type { Plan } from '#law/record/plan.ts';
import { duration, plural } from '#law/words/phrases.ts';

export function sayPlan(plan: Plan): [string, string][] {
  const { context, model, fallbackModel, permissionMode, tools, commit, branch, worktreeOf } = plan;
  const rows: (readonly [string, string | null])[] = [
    ['Sessions', context.is === 'same' ? 'one for all iterations' : sayEvery(context.every, context.of)],
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

function sayEvery(every: number, of: 'iterations' | 'features'): string {
  return every === 1 && of === 'iterations'
    ? 'a new one for each iteration'
    : `a new one after ${plural(every, of === 'iterations' ? 'iteration' : 'feature')}`;
}
