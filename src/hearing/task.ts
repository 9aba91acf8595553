/** The task of a loop: its prompt, out of the prompts that it has had. */
import { join } from 'node:path';
import { topFrame, type Loop } from '../core/loop.ts';
import type { Task } from '../core/words-to-agent.ts';
import { promptPath, readPromptText } from '../journal/prompts.ts';
import type { OpenLoop } from '../journal/store.ts';

/**
 * The prompt of the frame at work, and where the agent can read it again, whatever directory it is in by then: in the
 * view, else where all prompts are kept.
 */
export function taskOf(open: OpenLoop, loop: Loop): Task {
  const file =
    loop.view === null ? promptPath(open.dir, topFrame(loop).prompt) : join(loop.project, loop.view);
  return { prompt: promptOf(open, loop), file };
}

export function promptOf(open: OpenLoop, loop: Loop): string {
  return readPromptText(open.dir, topFrame(loop).prompt);
}
