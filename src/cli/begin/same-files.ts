/** Other loops at work in the files of a run: each takes the other's changes for its own, and for progress. */
import { few } from '../../core/words/abbreviate.ts';
import { isLive, type Loop } from '../../core/loop.ts';
import { title } from '../../text/to-person.ts';

const NAMED = 3;

/** `all`: as they are shown, so that one whose owner is gone is not taken for live. */
export function sayNeighbours({ id, project }: Loop, all: readonly Loop[]): string[] {
  const others = all.filter(
    (loop) => loop.id !== id && loop.project === project && isLive(loop) && loop.owner !== null,
  );
  if (others.length === 0) return [];
  const [names, verb] = [few(others, title, NAMED).join(', '), others.length === 1 ? 'is' : 'are'];
  return [`${names} ${verb} at work in the same files. --worktree keeps what loops do apart.`];
}
