/** The task of a loop: its current prompt. */
import { join } from 'node:path';
import { topFrame, type Frame, type Loop } from '../core/loop.ts';
import type { TaskText } from '../text/agent/continuation.ts';
import { keepPrompt, promptPlace, readPromptText } from '../store/prompts.ts';
import type { OpenLoop } from '../store/open-loop.ts';

/**
 * The prompt of the current frame, and the absolute path where the agent can read it again: the view, else the stored
 * prompt. `room`: the most characters that the host takes at once.
 */
export function taskOf(open: OpenLoop, loop: Loop, room: number): TaskText {
  const file = loop.view === null ? promptFileOf(open, topFrame(loop)) : join(loop.project, loop.view);
  return { prompt: promptOf(open, loop), file, room };
}

export function promptOf(open: OpenLoop, loop: Loop): string {
  return promptNamed(open, topFrame(loop).prompt);
}

/** By its key: a loop keeps every prompt that it has had. */
export function promptNamed(open: OpenLoop, key: string): string {
  return readPromptText(open.blobs, key);
}

export function promptFileOf(open: OpenLoop, { prompt }: Pick<Frame, 'prompt'>): string {
  return promptPlace(open.blobs, prompt);
}

/** Returns its key. */
export function keepPromptOf(open: OpenLoop, prompt: string): string {
  return keepPrompt(open.blobs, prompt);
}
