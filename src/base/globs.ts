/**
 * File patterns relative to the project. `*` and `?` match within a name, `**` spans folders, `{a,b}` is
 * either, and a pattern that begins with `!` excludes what earlier ones matched. A pattern that names a
 * folder includes everything below it. The patterns are not turned into regular expressions, so no pattern is
 * slow.
 */

/** A pattern with more alternatives than this is better given as a list. */
const MAX_ALTERNATIVES = 64;

export type Matches = (path: string) => boolean;

/** `foldCase`: for file systems that treat `Tests` and `tests` as the same name. */
export function globs(patterns: readonly string[], foldCase = false): Matches {
  const cased = (text: string): string => (foldCase ? text.toLowerCase() : text);
  const read = patterns.map((pattern) => readPattern(cased(pattern)));
  return (path) => {
    const names = namesOf(cased(path));
    // The last pattern that matches the file decides.
    const last = read.findLast(({ alternatives }) => alternatives.some((one) => spans(one, names)));
    return last !== undefined && !last.takesBack;
  };
}

/** A pattern that matches the file of this name. A brace or a star in the name becomes a wildcard. */
export function patternForName(name: string): string {
  return `./${name.replaceAll(/[*{}]/g, '?')}`;
}

function readPattern(pattern: string) {
  const takesBack = pattern.startsWith('!');
  const alternatives = alternativesOf(takesBack ? pattern.slice(1) : pattern) ?? [];
  return { takesBack, alternatives: alternatives.map((one) => [...namesOf(one), '**']) };
}

/** Every pattern without braces that this one stands for. Null: too many. */
export function alternativesOf(pattern: string): string[] | null {
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    const next: string[] = [];
    for (const one of open) {
      const choice = firstChoice(one);
      if (choice === null) done.push(one);
      else if (choice.inner.length > MAX_ALTERNATIVES) return null;
      else next.push(...choice.inner.map((inner) => choice.before + inner + choice.after));
    }
    if (done.length + next.length > MAX_ALTERNATIVES) return null;
    open = next;
  }
  return done;
}

/**
 * The first `{…}` with a comma of its own; braces without one are plain text. This is a single pass, because
 * a shell line may be full of braces that nothing closes.
 */
function firstChoice(pattern: string): { before: string; inner: string[]; after: string } | null {
  const open: number[][] = [];
  let first: readonly number[] | null = null;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '{') open.push([at]);
    else if (char === ',') open.at(-1)?.push(at);
    else if (char === '}') {
      const cuts = open.pop() ?? [];
      // A brace that closes later may have begun earlier and contain this one.
      if (cuts.length > 1 && (first === null || (cuts[0] ?? 0) < (first[0] ?? 0))) first = [...cuts, at];
    }
  }
  if (first === null) return null;
  const [start = 0, ...ends] = first;
  const inner = ends.map((end, k) => pattern.slice((k === 0 ? start : (ends[k - 1] ?? 0)) + 1, end));
  return { before: pattern.slice(0, start), inner, after: pattern.slice((ends.at(-1) ?? 0) + 1) };
}

/** The start of a pattern, up to its first name with a wildcard. Everything it matches lies below that. */
export function literalStart(pattern: string): string {
  const names = namesOf(pattern);
  const wild = names.findIndex((name) => /[*?]/.test(name));
  return (wild === -1 ? names : names.slice(0, wild)).join('/');
}

/** Drops `.` and empty names, and resolves `..` where a name precedes it. */
function namesOf(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else names.push(name);
  }
  return names;
}

function spans(pattern: readonly string[], names: readonly string[]): boolean {
  return fitsWith(pattern, names, isDeep, isNamed);
}

const isDeep = (part: string): boolean => part === '**';
const isNamed = (part: string, name: string): boolean => fitsWith(part, name, isStar, isSame);
const isStar = (char: string): boolean => char === '*';
const isSame = (char: string, other: string): boolean => char === '?' || char === other;

/** Where a star matches any number of things, the first match of the rest is as good as any later one. */
function fitsWith(
  pattern: ArrayLike<string>,
  things: ArrayLike<string>,
  isAny: (part: string) => boolean,
  fits: (part: string, thing: string) => boolean,
): boolean {
  let part = 0;
  let star = -1;
  let taken = 0;
  for (let at = 0; at < things.length;) {
    const wanted = pattern[part];
    const thing = things[at] ?? '';
    if (wanted !== undefined && isAny(wanted)) {
      star = part++;
      taken = at;
    } else if (wanted !== undefined && fits(wanted, thing)) {
      part++;
      at++;
    } else if (star !== -1) {
      part = star + 1;
      at = ++taken;
    } else return false;
  }
  while (isAny(pattern[part] ?? '')) part++;
  return part === pattern.length;
}
