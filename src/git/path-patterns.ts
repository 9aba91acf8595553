/** Patterns of files (`core/globs.ts`) for names as git gives them: bytes, as seen from the root of the repository. */
import { posix } from 'node:path';
import { globs, type Matches } from '../core/globs.ts';
import { bytesOf } from './git.ts';

/** The patterns are as seen from the project, which lies below the root by `prefix`. */
export function matcherOf(patterns: readonly string[], prefix = ''): Matches {
  if (patterns.length === 0) return () => false;
  const matches = globs(patterns.map(bytesOf));
  return (path) => matches(seenFrom(prefix, path));
}

/** `prefix`: empty, or with a slash at its end, as `rev-parse --show-prefix` has it. */
export function seenFrom(prefix: string, path: string): string {
  if (prefix === '') return path;
  return path.startsWith(prefix) ? path.slice(prefix.length) : posix.relative(`/${prefix}`, `/${path}`);
}
