/** What Da Capo itself writes into a project: it is no work of the agent's, and no mark of the work tree counts it. */
import { patternOf } from '../core/globs.ts';
import type { Loop } from '../core/loop.ts';
import type { MarkOptions } from '../git/mark.ts';

const OWN: readonly string[] = [
  '.claude/ralph-loop*.local.md',
  '.claude/ralph-notes.*.local.md',
  '.claude/idle-loop*.local.md',
  '**/Ralph_State/RALPH_*.json',
  '**/Ralph_History/RALPH_*.json',
];

/** Of a progress file only three lines are ours. */
const PROGRESS_LINES = /\b(?:Status|Iteration|Max Iterations):/;

export function ownFiles({
  views,
}: Pick<Loop, 'views'>): MarkOptions & { readonly ignored: readonly string[] } {
  const progress = views.filter(({ kind }) => kind === 'progress').map(({ file }) => patternOf(file));
  return {
    ignored: [...OWN, ...progress.map((file) => file.replace(/[^/\\]*$/, 'hook.log*'))],
    withoutLines: progress.map((file) => ({ file, lines: PROGRESS_LINES })),
  };
}
