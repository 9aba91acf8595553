/**
 * The view at a common stop: nobody has touched it, and it is shown anew. Everything else that can be found there is
 * `view.ts`'s, which most stops do not pay for.
 */
import type { Loop } from '../../core/loop.ts';
import { within } from '../../store/file/home.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { glanceAtFile, replaceViewFile } from '../file.ts';
import { isRendering, renderMarkdown } from './format.ts';
import { promptOf } from '../task.ts';
import type { World } from '../../store/runtime.ts';

/** The last rendering that was recognised. A stop looks twice, and nearly always finds the same. */
let known: { readonly content: string; readonly id: string } | null = null;

/** A loop that has other views is looked at by `view.ts`. */
export function isUntouched(loop: Loop): boolean {
  if (loop.views.length > 0) return false;
  if (loop.view === null) return true;
  const content = glanceAtFile(within(loop.project, loop.view));
  if (content === null) return false;
  if (known?.content === content && known.id === loop.id) return true;
  if (!isRendering(content, loop)) return false;
  known = { content, id: loop.id };
  return true;
}

/** Replaces the view. Whoever calls has just looked at it. */
export function show(open: OpenLoop, loop: Loop, world: World): void {
  if (loop.view === null) return;
  try {
    replaceViewFile(within(loop.project, loop.view), renderMarkdown(loop, promptOf(open, loop)));
  } catch (error) {
    world.log(`loop=${loop.id} view not written: ${String(error)}`);
    world.unshown?.(loop.view, error);
  }
}
