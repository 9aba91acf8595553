/** `ready/<key>`: the id of a loop that waits for its first prompt. */
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hash } from '../../core/hash.ts';
import { isId } from '../id.ts';
import type { ReadyLoops } from '../store.ts';
import { makePrivateFolder, readIfThere, type Home } from './home.ts';

export function fileReady({ ready }: Home): Omit<ReadyLoops, 'any'> {
  const pathOf = (project: string, prompt: string) =>
    join(ready, hash(`${resolve(project)}\n${prompt.trim()}`));
  return {
    find: (project, prompt) => {
      const id = readIfThere(pathOf(project, prompt))?.trim() ?? '';
      return isId(id) ? id : null;
    },
    keep: (project, prompt, loop) => {
      makePrivateFolder(ready);
      writeFileSync(pathOf(project, prompt), loop, { mode: 0o600 });
    },
    drop: (project, prompt) => rmSync(pathOf(project, prompt), { force: true }),
  };
}
