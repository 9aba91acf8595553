/** What a person should know before they leave a loop that begins. */
import { few } from '../../core/words/phrases.ts';
import { isLive, type Loop } from '../../core/loop.ts';
import { title } from '../../text/to-person.ts';
import { readUserConfig, sayMisfit } from '../../flags/user-config/user-config.ts';
import { homeAt } from '../../store/file/home.ts';
import type { Runtime } from '../../store/runtime.ts';
import { note } from '../terminal/terminal.ts';

const NAMED = 3;

/**
 * Other loops that work in the same files. Each loop takes the other's changes for its own progress. `all`: loops as the
 * screen shows them, so that a loop whose owner is gone does not count as live.
 */
export function sayNeighbours({ id, project }: Loop, all: readonly Loop[]): string[] {
  const others = all.filter(
    (loop) => loop.id !== id && loop.project === project && isLive(loop) && loop.owner !== null,
  );
  if (others.length === 0) return [];
  const [names, verb] = [few(others, title, NAMED).join(', '), others.length === 1 ? 'is' : 'are'];
  return [`${names} ${verb} at work in the same files. --worktree keeps what loops do apart.`];
}

/** Nobody will be told how the loop ends. */
export function noteBadConfig({ store }: Runtime): void {
  const read = readUserConfig(store.config);
  if (read.ok) return;
  const { config } = homeAt(store.place());
  note(`Da Capo: ${sayMisfit(read, config)} Until you fix it, no target in that file is told.`);
}
