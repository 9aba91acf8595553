/** `ready/<key>`: a loop that waits for the first prompt that equals its own, up to the white space around it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hash } from '../../core/hash.ts';
import { isId, makePrivateFolder, type Home } from './home.ts';

export function keepReady(home: Home, project: string, prompt: string, id: string): void {
  makePrivateFolder(home.ready);
  writeFileSync(pathOf(home, project, prompt), id, { mode: 0o600 });
}

/** The loop that waits for this prompt here, if any. */
export function readyLoop(home: Home, project: string, prompt: string): string | null {
  try {
    const id = readFileSync(pathOf(home, project, prompt), 'utf8').trim();
    return isId(id) ? id : null;
  } catch {
    return null;
  }
}

export function dropReady(home: Home, project: string, prompt: string): void {
  rmSync(pathOf(home, project, prompt), { force: true });
}

function pathOf(home: Home, project: string, prompt: string): string {
  return join(home.ready, hash(`${resolve(project)}\n${prompt.trim()}`));
}
