/** The task of a loop: its prompt, out of the prompts that it has had. */
import { topFrame, type Loop } from '../core/loop.ts';
import { within } from '../store/file/home.ts';
import type { Task } from '../text/continuation.ts';
import { promptPath, readPromptText } from '../store/file/prompts.ts';
import type { OpenLoop } from '../store/open-loop.ts';

/**
 * The prompt of the frame at work, and where the agent can read it again, whatever directory it is in by then: in the
 * view, else where all prompts are kept. `room`: what its host takes at once.
 */
export function taskOf(open: OpenLoop, loop: Loop, room: number): Task {
  const file =
    loop.view === null ? promptPath(open.dir, topFrame(loop).prompt) : within(loop.project, loop.view);
  return { prompt: promptOf(open, loop), file, room };
}

/** What was read last: a stop shows the prompt twice, in the view and to the agent. A key never means another text. */
const known = new WeakMap<OpenLoop, { readonly key: string; readonly text: string }>();

export function promptOf(open: OpenLoop, loop: Loop): string {
  const key = topFrame(loop).prompt;
  const read = known.get(open);
  if (read?.key === key) return read.text;
  const text = readPromptText(open.dir, key);
  known.set(open, { key, text });
  return text;
}
