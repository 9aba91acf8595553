/** Replaces a small file as a whole: a reader finds the old content or the new, never half of it. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing, makePrivateFolder } from './home.ts';

/** `durable`: the file survives a crash of the machine. That takes a disk some milliseconds. */
export function replaceFile(path: string, content: string | Uint8Array, { durable = true } = {}): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const write = () => writeFileSync(temporary, content, { mode: 0o600, flush: durable });
  try {
    try {
      write();
    } catch (error) {
      // The folder nearly always exists, so we make it only after a failure.
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
