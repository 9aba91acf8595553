/** Prompts are stored once, under their hash, byte for byte. */
import { hash } from '#base/hash.ts';
import type { Blobs, OpenLoop } from './open-loop.ts';
import { join } from 'node:path';
import { type Loop } from '#law/loop.ts';

export function keepPrompt(blobs: Blobs, prompt: string): string {
  const key = hash(prompt);
  if (blobs.read(nameOf(key)) === null) blobs.write(nameOf(key), prompt, { durable: true });
  return key;
}

/** A missing prompt is an error, not an empty task. */
export function readPromptText(blobs: Blobs, key: string): string {
  const prompt = blobs.read(nameOf(key));
  if (prompt === null) throw new Error(`the prompt is missing: ${promptPlace(blobs, key)}`);
  return prompt;
}

export function promptPlace(blobs: Blobs, key: string): string {
  return blobs.place(nameOf(key));
}

function nameOf(key: string): string {
  return `prompts/${key}.md`;
}

export function readPromptOf({ blobs }: Pick<OpenLoop, 'blobs'>, loop: Loop): string {
  return readPromptText(blobs, loop.frame.prompt);
}

/**
 * That prompt, and the absolute path where the agent can read it again: the view, else the stored prompt.
 * `room`: the most characters that the host takes at once.
 */
export function readTask(
  { blobs }: Pick<OpenLoop, 'blobs'>,
  loop: Loop,
  room: number,
): { readonly prompt: string; readonly file: string; readonly room: number } {
  const { prompt } = loop.frame;
  const file = loop.files.view === null ? promptPlace(blobs, prompt) : join(loop.project, loop.files.view);
  return { prompt: readPromptText(blobs, prompt), file, room };
}
