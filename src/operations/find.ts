import type { Loop } from '../core/loop.ts';
import { loopIds, openLoop } from '../store/open-loop.ts';
import type { World } from '../store/runtime.ts';

/** Every loop that can be read, oldest id first. */
function allLoops(world: World): Loop[] {
  return loopIds(world.home).flatMap((id) => {
    const open = openLoop(world.home, id);
    if (open === null) return [];
    const loop = open.loop();
    open.close();
    return [loop];
  });
}

/** Whoever they belong to. */
export function loopsOf(project: string, world: World): Loop[] {
  return allLoops(world).filter((loop) => loop.project === project);
}
