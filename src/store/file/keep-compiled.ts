/** Keeps compiled code for later runs. Without it a program only starts slower, so nothing here may fail. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { replaceFile } from './home.ts';
import { isPrivateToUser } from './safe-cache.ts';

/** Code that is this old belongs to a Node or to a version of ours that is gone. If not, it is made again. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The first run leaves an empty file: most files run once, and compiling the largest takes as long as a start
 * of Node. `whole`: the text of a file of which all functions are compiled; null: only those that have run.
 */
export function keepCompiled(path: string, script: Script, whole: string | null, source: Buffer): void {
  try {
    const folder = dirname(path);
    if (existsSync(folder) && !isPrivateToUser(folder)) return;
    if (!existsSync(path)) return replaceFile(path, '', { durable: false });
    const code = whole === null ? script.createCachedData() : compileAll(whole);
    replaceFile(path, Buffer.concat([code, code, source]), { durable: false });
    for (const one of readdirSync(folder).map((name) => join(folder, name)))
      if (Date.now() - statSync(one).mtimeMs > OLD_MS) rmSync(one, { force: true });
  } catch {
    // The home is read-only, or the disk is full.
  }
}

/** Every function: this run has called only some of them, and the next one calls others. */
function compileAll(wrapped: string): Buffer {
  setFlagsFromString('--no-lazy');
  // Without a file name, V8 does not know the script of this run again.
  const script = new Script(wrapped);
  setFlagsFromString('--lazy');
  return script.createCachedData();
}
