/** The markdown view at a common stop: unedited, and replaced. `view.ts` handles every other case. */
import { join } from 'node:path';
import type { Loop } from '#law/loop.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { readRegular } from '#base/files/read.ts';
import { replaceViewFile } from '../file.ts';
import { readPromptOf } from '#store/prompts.ts';
import { isRendering, renderMarkdown } from './format.ts';

export function isUntouched(loop: Loop, file: string): boolean {
  const found = readRegular(join(loop.project, file));
  return found.is === 'content' && isRendering(found.content, loop);
}

/** Replaces the view. The caller has just read it. */
export function showMarkdown(open: OpenLoop, loop: Loop, runtime: Runtime): void {
  if (loop.files.view === null) return;
  try {
    replaceViewFile(
      join(loop.project, loop.files.view),
      renderMarkdown(loop, readPromptOf(open, loop)),
      (content) => isRendering(content, loop),
    );
  } catch (error) {
    runtime.log(`loop=${loop.id} view not written: ${String(error)}`);
    runtime.onViewError?.(loop.files.view, error);
  }
}
