/** The folder of this package on disk. It is the same from dist/ and from the sources. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PACKAGE = climb(import.meta.dirname);

/** The supervisor of checks, for programs that have no bundle beside them. */
export const RUNNER = join(PACKAGE, 'plugin', 'dist', 'runner.cjs');

/** The program that sends notifications, for the same. */
export const SENDER = join(PACKAGE, 'plugin', 'dist', 'sender.cjs');

function climb(from: string): string {
  for (let dir = from; dirname(dir) !== dir; dir = dirname(dir))
    if (existsSync(join(dir, 'package.json'))) return dir;
  return from;
}
