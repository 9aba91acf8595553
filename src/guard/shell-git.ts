/**
 * What git does to the files that a line names. Only names count: of what takes none (`git stash`, `git reset --hard`, `git
 * merge`, a patch in a file) nobody can tell here whether it comes near a protected file, and most times it does not. That
 * is left to the look at each stop, which compares those files with what they were.
 */
import { namedIn, strippedBy } from './shell-patches.ts';
import type { Word } from './shell-words.ts';
import { asAll, hasAny, hasFlag, moved, operandsOf, type Written } from './shell-written.ts';

/** Of git itself, those whose value is a word of its own. */
const VALUED = new Set(['-c', '--git-dir', '--work-tree']);
const BRANCHES = /^(?:-[bBdt]|--orphan|--detach|--track)$/;
const CHECKOUT_VALUED = new Set(['--conflict']);
const RESTORE_VALUED = new Set(['-s', '--source']);
const STASH_VALUED = new Set(['-m', '--message']);
const CLEAN_VALUED = new Set(['-e', '--exclude']);
/** Of `git apply`, what only looks, or changes what is staged alone. */
const LOOKS = ['--check', '--stat', '--numstat', '--summary', '--cached'];

/** `input`: what comes to it from a here-document. */
export function byGit(args: readonly Word[], input: string): Written[] {
  const at = args.findIndex(({ text }, k) => !text.startsWith('-') && !VALUED.has(args[k - 1]?.text ?? ''));
  const rest = at === -1 ? [] : args.slice(at + 1);
  switch (args[at]?.text ?? '') {
    case 'checkout':
      return hasFlag(rest, BRANCHES) ? [] : restored(named(rest, CHECKOUT_VALUED));
    case 'restore':
      // What is staged alone is in no file.
      return hasAny(rest, '-S', '--staged') && !hasAny(rest, '-W', '--worktree')
        ? []
        : restored(named(rest, RESTORE_VALUED));
    case 'rm':
      return hasFlag(rest, /^(?:--cached|--dry-run|-n)$/) ? [] : asAll(operandsOf(rest), 'remove', true);
    case 'mv':
      return moved(operandsOf(rest), rest);
    case 'stash':
      return stashed(rest);
    case 'clean':
      return cleaned(rest);
    case 'apply':
      return hasAny(rest, ...LOOKS) && !hasAny(rest, '--apply') ? [] : patched(rest, input);
    case 'am':
      return patched(rest, input);
    default:
      return [];
  }
}

/** The files that it is told of: where there is a `--`, what stands in front of it are commits. */
function named(args: readonly Word[], valued: ReadonlySet<string>): Word[] {
  const end = args.findIndex(({ text }) => text === '--');
  const words = end === -1 ? operandsOf(args, valued) : args.slice(end + 1);
  // Git knows wildcards as well: quotes keep them from the shell alone.
  return words.map(({ text, wild }) => ({ text, wild: wild || /[*?]/.test(text) }));
}

function restored(words: readonly Word[]): Written[] {
  return asAll(words, 'restore', true);
}

/** What is stashed becomes what was last committed. With `--all`, what git does not keep goes too. */
function stashed(args: readonly Word[]): Written[] {
  const [command] = args.filter(({ text }) => !text.startsWith('-'));
  const pushes = command?.text === 'push' || args[0] === undefined || args[0].text.startsWith('-');
  if (!pushes) return [];
  const words = named(
    args.filter((arg) => arg !== command || arg.text !== 'push'),
    STASH_VALUED,
  );
  return words.length === 0 && hasFlag(args, /^(?:-\w*a|--all)$/) ? ALL_UNKEPT : restored(words);
}

const ALL_UNKEPT: Written[] = [{ word: { text: '.', wild: false }, how: 'clean', tree: true }];

function cleaned(args: readonly Word[]): Written[] {
  if (hasFlag(args, /^(?:-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/)) return [];
  const words = named(args, CLEAN_VALUED);
  if (words.length > 0) return asAll(words, 'remove', true);
  // Without `-x` what is ignored stays, and our own files in a project are; with an exception they may be excepted.
  return hasFlag(args, /^-[a-zA-Z]*[xX]/) && !hasFlag(args, /^(?:-[a-zA-Z]*e|--exclude)/) ? ALL_UNKEPT : [];
}

/** Where the patch stands in the line. */
function patched(args: readonly Word[], input: string): Written[] {
  const folder = args.find(({ text }) => text.startsWith('--directory='))?.text.slice('--directory='.length);
  const words = namedIn(input, strippedBy(args) ?? 1);
  return asAll(
    folder === undefined ? words : words.map(({ text, wild }) => ({ text: `${folder}/${text}`, wild })),
    'write',
  );
}
