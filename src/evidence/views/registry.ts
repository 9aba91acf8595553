/**
 * All views, and the operations on them. If one fails, the error is logged and the loop continues without
 * that view.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewKind } from '#law/record/definition.ts';
import { namesIn } from '#base/files/paths.ts';
import { readRegular } from '#base/files/read.ts';
import { attempt } from '#base/shape.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { excludeFromGit } from './exclude.ts';
import { reportViewError } from './file-view.ts';
import type { ImportPlaces } from './imported.ts';
import { isRendering, namedIn } from './markdown/format.ts';
import { markdownView } from './markdown/view.ts';
import { isStateFile, writerOf } from './names.ts';
import { progressView } from './progress/view.ts';
import { readRequests, showRequests } from './requests.ts';
import { STATE_FOLDER } from './state-folder.ts';
import { stackView } from './stack/view.ts';
import { vaultView } from './vault/view.ts';
import type { View } from './view.ts';

export const VIEWS: Readonly<Record<ViewKind, View>> = {
  markdown: markdownView,
  progress: progressView,
  vault: vaultView,
  stack: stackView,
};

function viewsOf({ files: { view, views } }: Loop) {
  return view === null ? views : [{ kind: 'markdown' as const, file: view }, ...views];
}

export function makeViews(
  open: OpenLoop,
  kinds: readonly ViewKind[],
  places: ImportPlaces,
  runtime: Runtime,
): void {
  tidyProject(open.loop().project, runtime);
  for (const kind of kinds)
    guarded(open, kind, runtime, () =>
      recordNewView(open, kind, VIEWS[kind].make(open, places, runtime), runtime),
    );
  hideFromGit(open.loop(), runtime);
}

export function remakeViews(open: OpenLoop, runtime: Runtime): void {
  for (const { kind, file } of viewsOf(open.loop()))
    guarded(open, kind, runtime, () =>
      recordView(open, kind, VIEWS[kind].restore(open, file, runtime) ?? file, runtime),
    );
  hideFromGit(open.loop(), runtime);
}

/** A file that no record names would stay in the project for good, and its deletion would cancel nothing. */
function recordNewView(open: OpenLoop, kind: ViewKind, file: string, runtime: Runtime): void {
  try {
    recordView(open, kind, file, runtime);
  } catch (error) {
    const isNamed = attempt(() => viewsOf(open.look()).some((view) => view.kind === kind), true);
    if (!isNamed) VIEWS[kind].discard?.(open, file);
    throw error;
  }
}

/**
 * Removes what killed processes have left of ours: half-written views, and views of loops that have ended,
 * as we wrote them. What a person has changed stays. Nothing that it can't do is worth an error: `dacapo
 * doctor` names what is left.
 */
export function tidyProject(project: string, runtime: Runtime): void {
  for (const name of namesIn(join(project, STATE_FOLDER)))
    try {
      tidy(project, join(STATE_FOLDER, name), name, runtime);
    } catch (error) {
      runtime.log(`${join(project, STATE_FOLDER, name)} was not removed: ${String(error)}`);
    }
}

function tidy(project: string, file: string, name: string, runtime: Runtime): void {
  const path = join(project, file);
  const writer = writerOf(name);
  if (writer !== null && !runtime.isAlive(writer)) rmSync(path, { force: true });
  if (!isStateFile('markdown', name)) return;
  const found = readRegular(path);
  const id = found.is === 'content' ? namedIn(found.content).loop : null;
  if (found.is !== 'content' || id === null || !isRendering(found.content, { id })) return;
  const open = runtime.store.open(id);
  if (open === null) return;
  try {
    const loop = open.look();
    if (hasEnded(loop) && loop.project === project) markdownView.render(open, file, runtime);
  } finally {
    open.close();
  }
}

/** The start was killed between the two: the view is there, and the record does not name it yet. */
function nameLostView(open: OpenLoop, runtime: Runtime): void {
  const file = open.loop().files.view === null ? (markdownView.find?.(open) ?? null) : null;
  if (file === null) return;
  recordView(open, 'markdown', file, runtime);
  hideFromGit(open.loop(), runtime);
}

function recordView(open: OpenLoop, kind: ViewKind, file: string, runtime: Runtime): void {
  open.write({ type: 'viewed', at: runtime.now(), kind, file });
}

/**
 * If git's folder can't be written, git lists the views as untracked. That is no reason to do without them.
 */
function hideFromGit(loop: Loop, runtime: Runtime): void {
  if (viewsOf(loop).length === 0) return;
  try {
    excludeFromGit(loop.project, loop.files.views);
  } catch (error) {
    reportViewError(loop, join('.git', 'info', 'exclude'), error, runtime);
  }
}

/** Stops at the first view that ends the loop. */
export function readAll(open: OpenLoop, runtime: Runtime): Loop {
  if (!hasEnded(open.loop())) {
    readRequests(open, runtime);
    nameLostView(open, runtime);
  }
  for (const { kind, file } of viewsOf(open.loop())) isSettled(open, kind, file, runtime);
  return open.loop();
}

export function showAll(open: OpenLoop, runtime: Runtime): Loop {
  const hasLostView = hasEnded(open.loop()) && open.loop().files.view === null;
  if (hasLostView) tidyProject(open.loop().project, runtime);
  const settled = hasEnded(open.loop()) ? null : readSettled(open, runtime);
  const shown = settled === null || hasEnded(open.loop()) ? viewsOf(open.loop()) : settled;
  // The markdown view last: it numbers its renderings by events, and showing another view may add one.
  for (const { kind, file } of shown.toReversed())
    guarded(open, kind, runtime, () => VIEWS[kind].render(open, file, runtime));
  if (open.loop().people.requested > 0) showRequests(open, runtime);
  return open.loop();
}

function readSettled(open: OpenLoop, runtime: Runtime) {
  readRequests(open, runtime);
  return viewsOf(open.loop()).filter(({ kind, file }) => isSettled(open, kind, file, runtime));
}

function isSettled(open: OpenLoop, kind: ViewKind, file: string, runtime: Runtime): boolean {
  const loop = open.loop();
  if (hasEnded(loop)) return true;
  // A run whose whole project is gone (moved, or its disk is not mounted) is interrupted: nobody has deleted
  // the view to cancel it. A session in such a folder is let go.
  if (loop.driver === 'fresh' && !existsSync(loop.project)) return false;
  return guarded(open, kind, runtime, () => VIEWS[kind].read(open, file, runtime)) !== 'unsettled';
}

function guarded<T>(open: OpenLoop, kind: ViewKind, runtime: Runtime, act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    const loop = open.loop();
    const file = viewsOf(loop).find((view) => view.kind === kind)?.file ?? VIEWS[kind].import.place;
    reportViewError(loop, file, error, runtime);
    return null;
  }
}
