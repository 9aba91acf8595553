// Names of files, with slashes: `*` is any name or part of one, `**/` any depth. A folder's name covers all that is in it.
import { bytesOf } from './git.ts';

/** Takes and matches names as git gives them: bytes, one a character. */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const sources = patterns.map((pattern) =>
    bytesOf(pattern.replace(/^\.\//, '').replace(/\/+$/, ''))
      .split(/(\*\*\/|\*)/)
      .map((part) => (part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : escape(part)))
      .join(''),
  );
  const all = new RegExp(`^(?:${sources.join('|')})(?:/.*)?$`, 's');
  return (path) => all.test(path);
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
