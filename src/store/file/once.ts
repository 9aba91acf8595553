/** `announced/<key>`: what has been said once and need not be said at every stop. Empty files; prune takes them away. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '../../core/hash.ts';
import { makePrivateFolder, type Home } from './home.ts';

/** True for the first who asks. */
export function isNews(home: Home, about: string): boolean {
  makePrivateFolder(home.announced);
  try {
    writeFileSync(join(home.announced, hash(about)), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** It may be said once more. */
export function forgetNews(home: Home, about: string): void {
  rmSync(join(home.announced, hash(about)), { force: true });
}
