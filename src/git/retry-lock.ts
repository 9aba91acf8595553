/**
 * Repeats a git command that lost a race with another git process in the same repository. Git gives up at once if a
 * lock is taken, and `worktree add` dies on a half-made worktree (its `commondir` exists and is still empty). Both
 * leave things as they were, so we can simply ask again.
 */
import type { GitAnswer } from './git.ts';

/**
 * Git holds a lock for milliseconds; for the index of a large project, a second or two. A lock left by a crash stays.
 */
const WAITS_MS: readonly number[] = [25, 50, 100, 200, 400, 800, 1_600];

const IN_THE_WAY = /\.lock'?: File exists|failed to read \S+\/commondir: /;

export async function askPatiently(
  ask: () => Promise<GitAnswer>,
  /** From 0 up to, not including, 1. Random waits keep two processes from colliding again. */
  chance: () => number = Math.random,
): Promise<GitAnswer> {
  let answer = await ask();
  for (const wait of WAITS_MS) {
    if (!isInTheWay(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + chance())));
    answer = await ask();
  }
  return answer;
}

function isInTheWay(answer: GitAnswer): boolean {
  return answer.is === 'said' && answer.code !== 0 && IN_THE_WAY.test(answer.complaint);
}
