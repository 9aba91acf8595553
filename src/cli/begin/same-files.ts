/** Warns about other loops that work in the same files. Each loop takes the other's changes for its own progress. */
import { few } from '../../core/words/phrases.ts';
import { isLive, type Loop } from '../../core/loop.ts';
import { title } from '../../text/to-person.ts';

const NAMED = 3;

/** `all`: loops as the screen shows them, so that a loop whose owner is gone does not count as live. */
export function sayNeighbours({ id, project }: Loop, all: readonly Loop[]): string[] {
  const others = all.filter(
    (loop) => loop.id !== id && loop.project === project && isLive(loop) && loop.owner !== null,
  );
  if (others.length === 0) return [];
  const [names, verb] = [few(others, title, NAMED).join(', '), others.length === 1 ? 'is' : 'are'];
  return [`${names} ${verb} at work in the same files. --worktree keeps what loops do apart.`];
}
