/** The operations on blobs that a common stop does not need: it reads the prompt, and writes only to the journal. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { numbered, type Blobs } from '../open-loop.ts';
import { replaceFile, isExistsError, makePrivateFolder } from './home.ts';

export function blobWriter(dir: string): Pick<Blobs, 'write' | 'keep' | 'list' | 'remove'> {
  return {
    write: (name, content, { durable = false } = {}) => replaceFile(join(dir, name), content, { durable }),
    keep: (name, content) => keepFile(dir, name, content),
    list: (prefix) => filesIn(dir, prefix),
    remove: (name) => rmSync(join(dir, name), { force: true }),
  };
}

export function folderIn(dir: string, name: string): string {
  const folder = join(dir, name);
  makePrivateFolder(folder);
  return folder;
}

function keepFile(dir: string, name: string, content: string | Uint8Array): string {
  makePrivateFolder(dirname(join(dir, name)));
  for (let copy = 1; ; copy++) {
    const free = numbered(name, copy);
    try {
      writeFileSync(join(dir, free), content, { flag: 'wx', mode: 0o600 });
      return free;
    } catch (error) {
      if (!isExistsError(error)) throw error;
    }
  }
}

/** The prefix is a folder, optionally with the beginning of the names in it. */
function filesIn(dir: string, prefix: string): string[] {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  try {
    return readdirSync(join(dir, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${folder}${name}`)
      .filter((name) => name.startsWith(prefix))
      .sort();
  } catch {
    return [];
  }
}
