/** Prompts are stored once, under their hash, byte for byte. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hash } from '../../core/hash.ts';
import { makePrivateFolder, within } from './home.ts';

export function keepPrompt(dir: string, prompt: string): string {
  const key = hash(prompt);
  const path = promptPath(dir, key);
  if (!existsSync(path)) {
    makePrivateFolder(within(dir, 'prompts'));
    // By a rename: half a prompt under its full hash would stand for it ever after.
    const temporary = `${path}.${process.pid}.tmp`;
    writeFileSync(temporary, prompt, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  }
  return key;
}

export function readPromptText(dir: string, key: string): string {
  return readFileSync(promptPath(dir, key), 'utf8');
}

export function promptPath(dir: string, key: string): string {
  return within(dir, 'prompts', `${key}.md`);
}
