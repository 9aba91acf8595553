/** Prompts are stored once, under their hash, byte for byte. */
import { hash } from '../core/hash.ts';
import type { Blobs } from './blobs.ts';

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
