import type { Loop } from '../core/loop.ts';
import type { Runtime } from '../store/runtime.ts';

/** Every loop that can be read, oldest id first. */
function allLoops(world: Runtime): Loop[] {
  return world.store.loops().flatMap(({ loop }) => loop ?? []);
}

/** Whoever they belong to. */
export function loopsOf(project: string, world: Runtime): Loop[] {
  return allLoops(world).filter((loop) => loop.project === project);
}
