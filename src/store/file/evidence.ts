/** Copies that explain: outputs of checks, rejected or corrupt state, what people wrote before it was replaced. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTaken, makePrivateFolder } from './home.ts';

/** Never overwrites: a name that is taken gets a number. Returns the path. */
export function keepEvidence(dir: string, name: string, content: string | Uint8Array): string {
  const folder = join(dir, 'evidence');
  makePrivateFolder(folder);
  for (let copy = 1; ; copy++) {
    const path = join(folder, copy === 1 ? name : numbered(name, copy));
    try {
      writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
      return path;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

function numbered(name: string, copy: number): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name}-${copy}` : `${name.slice(0, dot)}-${copy}${name.slice(dot)}`;
}
