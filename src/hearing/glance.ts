/**
 * The view at a common stop: nobody has touched it, and it is shown anew. Everything else that can be found there is
 * `view.ts`'s, which most stops do not pay for.
 */
import { join } from 'node:path';
import type { Loop } from '../core/loop.ts';
import type { OpenLoop } from '../journal/store.ts';
import { readViewFile, replaceViewFile } from '../views/file.ts';
import { isRendering, renderMarkdown } from '../views/markdown.ts';
import { promptOf } from './task.ts';
import type { World } from './world.ts';

/** A loop that has other views is looked at by `view.ts`. */
export function isUntouched(loop: Loop): boolean {
  if (loop.views.length > 0) return false;
  if (loop.view === null) return true;
  const file = readViewFile(join(loop.project, loop.view));
  return file.is === 'content' && isRendering(file.content, loop);
}

/** Replaces the view. Whoever calls has just looked at it. */
export function show(open: OpenLoop, loop: Loop, world: World): void {
  if (loop.view === null) return;
  try {
    replaceViewFile(join(loop.project, loop.view), renderMarkdown(loop, promptOf(open, loop)));
  } catch (error) {
    world.log(`loop=${loop.id} view not written: ${String(error)}`);
  }
}
