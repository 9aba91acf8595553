/**
 * The views beside the markdown one, each in a file of its own. None of them may void a hearing: what goes wrong with one
 * is logged, and the loop goes on without it.
 */
import type { ViewKind } from '../core/definition.ts';
import { hasEnded, type Loop, type OtherView } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Keeper, Places } from './view.ts';
import { progressView } from './progress/view.ts';
import { stackView } from './stack/view.ts';
import { vaultView } from './vault/view.ts';
import type { World } from '../store/runtime.ts';

const KEEPERS: Readonly<Record<OtherView['kind'], Keeper>> = {
  progress: progressView,
  vault: vaultView,
  stack: stackView,
};

export function makeOthers(open: OpenLoop, kinds: readonly ViewKind[], places: Places, world: World): void {
  for (const kind of kinds) {
    if (kind === 'markdown') continue;
    guarded(open, kind, world, () => {
      const file = KEEPERS[kind].make(open, places, world);
      open.write({ type: 'viewed', at: world.now(), kind, file });
    });
  }
}

/** The first that ends the loop has the last word. */
export function lookAtOthers(open: OpenLoop, world: World): Loop {
  for (const { kind, file } of open.loop().views) look(open, kind, file, world);
  return open.loop();
}

/** Looks once more, directly before each is replaced. */
export function showOthers(open: OpenLoop, world: World): Loop {
  const settled = open.loop().views.filter(({ kind, file }) => look(open, kind, file, world));
  const ended = hasEnded(open.loop());
  for (const { kind, file } of ended ? open.loop().views : settled)
    guarded(open, kind, world, () => KEEPERS[kind].show(open, file, world));
  return open.loop();
}

export function restoreOthers(open: OpenLoop, world: World): void {
  for (const { kind, file } of open.loop().views)
    guarded(open, kind, world, () => KEEPERS[kind].restore(open, file, world));
}

/** Whether it may be replaced now. */
function look(open: OpenLoop, kind: OtherView['kind'], file: string, world: World): boolean {
  if (hasEnded(open.loop())) return true;
  return guarded(open, kind, world, () => KEEPERS[kind].look(open, file, world).unsettled) !== true;
}

function guarded<T>(open: OpenLoop, kind: string, world: World, act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    const { id, views } = open.loop();
    world.log(`loop=${id} ${kind} view: ${String(error)}`);
    world.unshown?.(views.find((view) => view.kind === kind)?.file ?? `the ${kind} view`, error);
    return null;
  }
}
