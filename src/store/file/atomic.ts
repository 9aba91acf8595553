/** A small file of ours, replaced as a whole: a reader finds the old one or the new one, never half of it. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing, makePrivateFolder } from './home.ts';

/** `durable`: it survives a crash of the machine, which takes a disk some milliseconds. */
export function replaceFile(path: string, content: string | Uint8Array, { durable = true } = {}): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const write = () => writeFileSync(temporary, content, { mode: 0o600, flush: durable });
  try {
    try {
      write();
    } catch (error) {
      // The folder is nearly always there, so nobody looks for it first.
      if (!isMissing(error)) throw error;
      makePrivateFolder(dirname(path));
      write();
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
