// Names of files, with slashes: `*` is any name or part of one, `**/` any depth. A folder's name covers all that is in it.
import { posix } from 'node:path';
import { bytesOf } from './git.ts';

/**
 * Takes names as git gives them, bytes, as seen from the root; the patterns are as seen from the project, which lies
 * below the root by `prefix`.
 */
export function matcherOf(patterns: readonly string[], prefix = ''): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const sources = patterns.map((pattern) =>
    bytesOf(pattern.replace(/^\.\//, '').replace(/\/+$/, ''))
      .split(/(\*\*\/|\*)/)
      .map((part) => (part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : escape(part)))
      .join(''),
  );
  const all = new RegExp(`^(?:${sources.join('|')})(?:/.*)?$`, 's');
  return (path) => all.test(seenFrom(prefix, path));
}

/** `prefix`: empty, or with a slash at its end, as `rev-parse --show-prefix` has it. */
export function seenFrom(prefix: string, path: string): string {
  if (prefix === '') return path;
  return path.startsWith(prefix) ? path.slice(prefix.length) : posix.relative(`/${prefix}`, `/${path}`);
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
