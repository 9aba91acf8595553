/**
 * Several git programs in one repository get in each other's way for a moment. One that finds a lock taken gives up at
 * once; and `worktree add` dies where it finds another worktree half made (its `commondir` is there, and still empty).
 * Both leave things as they were, so the same question is asked again.
 */
import type { GitAnswer } from './git.ts';

/** A lock is held for milliseconds, an index of a large project for a second or two. One that a crash has left stays. */
const WAITS_MS: readonly number[] = [25, 50, 100, 200, 400, 800, 1_600];

const IN_THE_WAY = /\.lock'?: File exists|failed to read \S+\/commondir: /;

export async function askPatiently(
  ask: () => Promise<GitAnswer>,
  /** From 0 up to, not including, 1: those who met once must not meet again. */
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
