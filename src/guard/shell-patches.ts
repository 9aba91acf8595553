/** Patches that stand in the line itself, as a here-document gives them to `git apply`, `git am` and `patch`. */
import type { Word } from './shell-words.ts';

/** As `patch` takes them: -p1, -p 1, --strip=1. Null: it does not say. */
export function strippedBy(args: readonly Word[]): number | null {
  for (const [at, { text }] of args.entries()) {
    const given = /^(?:-p|--strip=)(\d+)$/.exec(text)?.[1];
    if (given !== undefined) return Number(given);
    if (text === '-p' || text === '--strip') return Number(args[at + 1]?.text);
  }
  return null;
}

/** The files that it changes, makes or takes away. `strip`: how many folders of each name go; null: all of them. */
export function namedIn(patch: string, strip: number | null): Word[] {
  // A line that takes `-- a` away looks like a head as well, but none that adds comes right behind it with two more plusses.
  const heads = [
    ...patch.matchAll(/^--- (.+)\n\+\+\+ (.+)$/gm),
    ...patch.matchAll(/^diff --git (\S+) (\S+)$/gm),
  ];
  const names = heads
    .flatMap(([, before = '', after = '']) => [before, after])
    .map((name) => name.replace(/[\t\r].*$/, ''))
    .filter((name) => name !== '/dev/null')
    .map((name) =>
      name
        .split('/')
        .slice(strip ?? -1)
        .join('/'),
    );
  return [...new Set(names)].map((text) => ({ text, wild: false }));
}
