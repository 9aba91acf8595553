/** What a person should know before they leave a loop that begins. */
import { join } from 'node:path';
import { few } from '../../core/words/phrases.ts';
import { isLive, type Loop } from '../../core/loop.ts';
import { title } from '../../text/to-person.ts';
import { readUserConfig, sayMisfit } from '../../flags/user-config.ts';
import type { Runtime } from '../../store/runtime.ts';
import { loopsUnder } from '../look/loops.ts';

const NAMED = 3;

/** Other loops that work in the same files. Each loop takes the other's changes for its own progress. */
export function sayNeighbours({ id, project }: Pick<Loop, 'id' | 'project'>, runtime: Runtime): string[] {
  // As the screen shows them: a loop whose owner is gone is not live.
  const others = loopsUnder(project, runtime).filter(
    (loop) => loop.id !== id && loop.project === project && isLive(loop) && loop.session.owner !== null,
  );
  if (others.length === 0) return [];
  const [names, verb] = [few(others, title, NAMED).join(', '), others.length === 1 ? 'is' : 'are'];
  return [`${names} ${verb} at work in the same files. dacapo run --worktree keeps what loops do apart.`];
}

/** Nobody will be told how the loop ends. */
export function sayBadConfig({ store }: Runtime): string[] {
  const read = readUserConfig(store.config);
  if (read.ok) return [];
  const words = sayMisfit(read, join(store.place(), 'config.json'));
  return [`${words} Until you fix it, no target in that file is told.`];
}
