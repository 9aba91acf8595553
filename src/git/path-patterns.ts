/** File patterns (`core/globs.ts`) for names as git gives them: bytes, relative to the root of the repository. */
import { posix } from 'node:path';
import { globs, type Matches } from '../core/globs.ts';
import { bytesOf } from './git.ts';

/** The patterns are relative to the project, which lies below the root at `prefix`. */
export function matcherOf(patterns: readonly string[], prefix = ''): Matches {
  if (patterns.length === 0) return () => false;
  const matches = globs(patterns.map(bytesOf));
  return (path) => matches(seenFrom(prefix, path));
}

/** `prefix` is empty or ends in a slash, as in `rev-parse --show-prefix`. */
export function seenFrom(prefix: string, path: string): string {
  if (prefix === '') return path;
  return path.startsWith(prefix) ? path.slice(prefix.length) : posix.relative(`/${prefix}`, `/${path}`);
}
