/** Puts the stand-in for jwz where a PATH can find it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROGRAM = resolve(import.meta.dirname, 'jwz.mjs');

/** Returns a PATH on which it is first. */
export function putJwz(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'jwz'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, {
    mode: 0o755,
  });
  return `${folder}:/usr/bin:/bin`;
}
