/** All views, and the operations on them. If one fails, the error is logged and the loop goes on without that view. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewKind } from '../core/record/definition.ts';
import { hasEnded, type Loop } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { excludeFromGit } from './exclude.ts';
import type { ImportPlaces } from './imported.ts';
import { markdownView } from './markdown/view.ts';
import { progressView } from './progress/view.ts';
import { readRequests, showRequests } from './requests/view.ts';
import { stackView } from './stack/view.ts';
import { vaultView } from './vault/view.ts';
import type { View } from './view.ts';

export const VIEWS: Readonly<Record<ViewKind, View>> = {
  markdown: markdownView,
  progress: progressView,
  vault: vaultView,
  stack: stackView,
};

interface PlacedView {
  readonly kind: ViewKind;
  readonly file: string;
}

function viewsOf({ files: { view, views } }: Loop): readonly PlacedView[] {
  return view === null ? views : [{ kind: 'markdown', file: view }, ...views];
}

/** Gives a new loop its views. */
export function makeViews(
  open: OpenLoop,
  kinds: readonly ViewKind[],
  places: ImportPlaces,
  world: Runtime,
): void {
  for (const kind of kinds)
    guarded(open, kind, world, () => recordView(open, kind, VIEWS[kind].make(open, places, world), world));
  hideFromGit(open.loop(), world);
}

/** For a loop that was reopened. */
export function remakeViews(open: OpenLoop, world: Runtime): void {
  for (const { kind, file } of viewsOf(open.loop()))
    guarded(open, kind, world, () => {
      const made = VIEWS[kind].restore(open, file, world);
      if (made !== null) recordView(open, kind, made, world);
    });
  hideFromGit(open.loop(), world);
}

function recordView(open: OpenLoop, kind: ViewKind, file: string, world: Runtime): void {
  open.write({ type: 'viewed', at: world.now(), kind, file });
}

/** If git's folder can't be written, git lists the views as untracked. That is no reason to do without them. */
function hideFromGit(loop: Loop, world: Runtime): void {
  if (viewsOf(loop).length === 0) return;
  try {
    excludeFromGit(loop.project, loop.files.views);
  } catch (error) {
    world.log(`loop=${loop.id} view not hidden from git: ${String(error)}`);
    world.unshown?.(join('.git', 'info', 'exclude'), error);
  }
}

/** Stops at the first view that ends the loop. */
export function readAll(open: OpenLoop, world: Runtime): Loop {
  if (!hasEnded(open.loop())) readRequests(open, world);
  for (const view of viewsOf(open.loop())) isSettled(open, view, world);
  return open.loop();
}

export function showAll(open: OpenLoop, world: Runtime): Loop {
  if (!hasEnded(open.loop())) readRequests(open, world);
  const settled = viewsOf(open.loop()).filter((view) => isSettled(open, view, world));
  // The markdown view last: it numbers its renderings by events, and showing another view may add one.
  for (const { kind, file } of (hasEnded(open.loop()) ? viewsOf(open.loop()) : settled).toReversed())
    guarded(open, kind, world, () => VIEWS[kind].render(open, file, world));
  showRequests(open, world);
  return open.loop();
}

/** Reads a view, and returns whether it may be replaced now. */
function isSettled(open: OpenLoop, { kind, file }: PlacedView, world: Runtime): boolean {
  const loop = open.loop();
  if (hasEnded(loop)) return true;
  // A run whose whole project is gone (moved, or its disk is not mounted) is interrupted: nobody has deleted the view to
  // cancel it. A session in such a folder is let go.
  if (loop.driver === 'fresh' && !existsSync(loop.project)) return false;
  return guarded(open, kind, world, () => VIEWS[kind].read(open, file, world)) !== 'unsettled';
}

function guarded<T>(open: OpenLoop, kind: ViewKind, world: Runtime, act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    const loop = open.loop();
    world.log(`loop=${loop.id} ${kind} view: ${String(error)}`);
    world.unshown?.(
      viewsOf(loop).find((view) => view.kind === kind)?.file ?? VIEWS[kind].import.place,
      error,
    );
    return null;
  }
}
