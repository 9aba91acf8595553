/**
 * A text that a shell or another program may run, and that we don't read as they would: a line that is not
 * plain, code, a script in quotes. Only what it mentions counts, in any spelling that quotes, backslashes and
 * joined lines allow.
 */
import { programName } from './plain.ts';

export type Variables = ReadonlyMap<string, string>;

export type RawText = ReturnType<typeof readShellText>;

const SIGNS = /[\s;&|<>()[\]{}`,=:$!+#]+/;
const VARIABLE = /\$\{?(\w{1,100})\b\}?|\bDACAPO_HOME\b(?!=)|(?<![\w/.~])~(?=\/|\s|$)/g;
/** Each value makes the text longer. */
const MAX_VALUES_INSERTED = 500;
const MAX_FOLDERS_TRIED = 8;

export function readShellText(source: string, variables: Variables) {
  // A line that ends in a backslash goes on in the next one, but not in a comment or behind another
  // backslash.
  const joined = source.replace(/\\\r?\n/g, '');
  const both = joined === source ? source : `${joined}\n${source}`;
  let room = MAX_VALUES_INSERTED;
  /** Without quotes and backslashes, with the values of known variables. */
  const text = both
    .replace(/["'\\]/g, '')
    .replace(/\$(?:IFS\b|\{IFS[^}]{0,50}\})/g, ' ')
    .replace(VARIABLE, (whole, name: string | undefined) => {
      const value = variables.get(name ?? (whole === '~' ? 'HOME' : whole));
      if (value === undefined || room-- <= 0) return whole;
      // Code names it without a dollar: `process.env.DACAPO_HOME`.
      return whole === 'DACAPO_HOME' ? ` ${value}` : value;
    })
    // `git-push` is `git push`.
    .replace(/\bgit-(?=[a-z])/g, 'git ');
  /** What blanks and signs separate: names of programs, paths, options. */
  const tokens: ReadonlySet<string> = new Set(text.split(SIGNS).filter(Boolean));
  return {
    text,
    words: text.split(/\s+/),
    tokens,
    names: new Set(Array.from(tokens, programName)),
    /** Those that it may change to. */
    folders: Array.from(
      text.matchAll(/(?:\b(?:cd|pushd)|-C)\s+([^\s;&|()]+)/g),
      ([, folder = '']) => folder,
    ).slice(0, MAX_FOLDERS_TRIED),
  };
}

/** A redirection into a file. `2>&1`, `>/dev/null` and the arrows of code are none. */
const REDIRECTS = /(?<![=>-])>(?![>|]?\s*(?:&|\/dev\/(?:null|tty|stdout|stderr)\b)|>?=)/;
const REMOVERS = ['rm', 'rmdir', 'unlink', 'shred', 'mv', '-delete'];
const WRITERS = [
  ...REMOVERS,
  ...'cp ln rsync touch truncate ed ex chmod chown tee dd sponge patch'.split(' '),
];
/** Programs that write with such an option, or by such a command. */
const WRITES_BY: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:sed|perl|ruby)$/, /^-\w*i|^--in-place/],
  [/^[gm]?awk$/, /^inplace$/],
  [/^(?:curl|wget|sort)$/, /^-\w*[oO]|^--output/],
  [/^git$/, /^(?:checkout|restore|stash|clean)$/],
];
/** Programs that run code of another language than shell. */
export const LANGUAGE =
  /^(?:python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|osascript|pwsh|powershell)$/;

/** By a redirection or a program whose work it is. What code of other languages writes is not known. */
export function canWrite({ text, tokens, names }: RawText): boolean {
  const has = (all: ReadonlySet<string>, wanted: RegExp) => [...all].some((one) => wanted.test(one));
  return (
    REDIRECTS.test(text) ||
    WRITERS.some((name) => names.has(name)) ||
    WRITES_BY.some(([program, by]) => has(names, program) && has(tokens, by))
  );
}

export function canRemove({ names }: RawText): boolean {
  return REMOVERS.some((name) => names.has(name));
}

export function holdsCode({ names }: RawText): boolean {
  return [...names].some((name) => LANGUAGE.test(name));
}
