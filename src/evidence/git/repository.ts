/** An open repository, with its own filters off. Each refusal says what the person can do. */
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';
import { oneLine } from '#base/words/sanitize.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { findFilters, findOwnFilters } from './filters.ts';
import { commonDir, findTop } from './git-folder.ts';
import { askPatiently, bytesOf, git, readable, saidBy } from './git.ts';
import type { AskGit, GitAnswer, GitOptions } from './git.ts';

export interface Repository {
  readonly ok: true;
  readonly root: string;
  /** The project's path below the root, as bytes: empty, or with a slash at its end. */
  readonly prefix: string;
  /** The git folder of this work tree: a linked work tree has its own. */
  readonly gitDir: string;
  /** Where the repository keeps its objects: for a linked work tree, in the main repository. */
  readonly objects: string;
  readonly format: Format;
  readonly head: string | null;
  /** The tree of that commit. */
  readonly headTree: string | null;
  readonly branch: string | null;
  readonly operation: Operation | null;
  /**
   * Filters that the repository's own settings define. We do not run them, so we leave files behind them
   * alone.
   */
  readonly ownFilters: readonly string[];
  readonly ask: AskGit<Pick<GitOptions, 'env' | 'input'>>;
  readonly nothing: string;
}

export type Format = keyof typeof EMPTY_TREES;

/** Git knows these trees without an object. */
const EMPTY_TREES = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

export interface Opening extends Pick<GitOptions, 'ms' | 'signal'> {
  readonly filters?: 'repository' | 'all';
}

export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert';

const OPERATIONS: readonly (readonly [string, Operation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

/** Snapshots and checkouts of large work trees take a while. */
const MAX_GIT_MS = 300_000;
const MAX_COMPLAINT_CHARS = 300;
const BRANCHES = 'refs/heads/';
const PLACES = ['rev-parse', '--show-object-format', '--absolute-git-dir', '--show-toplevel'] as const;
const COMMIT = 'HEAD^{commit}';
const TREE = 'HEAD^{tree}';

export async function openRepository(project: string, opening: Opening = {}): Promise<Repository | Refusal> {
  const top = findTop(real(project));
  if (top === null) return noRepository(project);
  const endless = READ_BY_GIT.map((name) => join(top, name)).find(isEndless);
  if (endless !== undefined)
    return refuse('git-silent', `${endless} is not a file: git would wait forever.`, 'Remove it.');
  const at = { at: project, ms: opening.ms ?? MAX_GIT_MS, signal: opening.signal };
  const [found, all] = await Promise.all([
    git([...PLACES, COMMIT, TREE, '--symbolic-full-name', 'HEAD'], at),
    opening.filters === 'all' ? findFilters('all', at) : null,
  ]);
  const told = found.is === 'said' ? readFacts(found.out) : null;
  if (told === null) return sayClosed(project, found);
  const { format, gitDir, root } = told;
  // `core.worktree` can point anywhere. If the work tree is not around the project, we must not write to it.
  const way = relative(real(root), real(project));
  if (way.startsWith('..') || isAbsolute(way)) return noRepository(project);
  const shared = commonDir(gitDir);
  const filters = all ?? (await findOwnFilters(gitDir, shared, at));
  if (filters === 'silent') return refuseSilence();
  if (filters === 'unknown')
    return refuse('git-old', 'git did not let its filters be switched off.', 'This needs git 2.31 or newer.');
  const here = { ...at, at: root, env: filters.off };
  const unborn = told.head === null ? await git(['symbolic-ref', '-q', 'HEAD'], at) : null;
  if (unborn?.is === 'unanswered') return refuseSilence();
  const ref = unborn === null ? told.ref : saidBy(unborn)?.trim();
  return {
    ok: true,
    root,
    prefix: way === '' ? '' : `${bytesOf(way.split(sep).join('/'))}/`,
    gitDir,
    objects: join(shared, 'objects'),
    format,
    head: told.head,
    headTree: told.headTree,
    branch: ref?.startsWith(BRANCHES) ? readable(ref.slice(BRANCHES.length)) : null,
    operation: OPERATIONS.find(([name]) => existsSync(join(gitDir, name)))?.[1] ?? null,
    ownFilters: filters.names,
    ask: (args, more = {}) =>
      askPatiently(() => git(args, { ...here, ...more, env: { ...here.env, ...more.env } })),
    nothing: EMPTY_TREES[format],
  };
}

/** What git reads first. In the folders below there may be more, for which a call has its deadline. */
const READ_BY_GIT = [
  '.git',
  '.git/HEAD',
  '.git/config',
  '.git/index',
  '.git/info/attributes',
  '.git/info/exclude',
  '.gitattributes',
  '.gitignore',
];

function isEndless(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile() && !stat.isDirectory();
  } catch {
    // A link in a circle. Git does not read it either.
    return false;
  }
}

/** Without a commit, git repeats our own word for it, and fails. */
function readFacts(out: string) {
  const lines = out.replace(/\n$/, '').split('\n');
  const ids = lines.slice(-3, -1).filter((line) => /^[0-9a-f]{40,}$/.test(line));
  const [head, headTree] = ids.length === 2 ? ids : [null, null];
  const end = head === null ? lines.lastIndexOf(COMMIT) : lines.length - 3;
  const [format, ...folders] = lines.slice(0, Math.max(end, 0));
  if (!isFormat(format)) return null;
  // A folder's name may contain a newline. Then we split the lines where both folders exist.
  for (let n = 1; n < folders.length; n++) {
    const [gitDir = '', root = ''] = [folders.slice(0, n), folders.slice(n)].map((part) =>
      readable(part.join('\n')),
    );
    if (folders.length === 2 || (existsSync(gitDir) && existsSync(root)))
      return { format, gitDir, root, head, headTree, ref: head === null ? undefined : lines.at(-1) };
  }
  return null;
}

function isFormat(word: string | undefined): word is Format {
  return word !== undefined && word in EMPTY_TREES;
}

export interface StoredRepository extends Repository {
  readonly store: string;
}

/**
 * The same repository with a store of our own: git writes its objects there, and nothing in `.git` changes.
 */
export function withStore(repository: Repository, store: string): StoredRepository {
  return { ...withEnvironment(repository, storeEnvironment(repository, store)), store };
}

/** Makes the store, if need be. */
export function storeEnvironment({ objects }: Repository, store: string) {
  const own = join(store, 'objects');
  mkdirSync(join(own, 'pack'), { recursive: true, mode: 0o700 });
  return {
    GIT_OBJECT_DIRECTORY: own,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: listFolders([objects]),
  };
}

/** As git reads such a list: what has its separator inside is quoted. */
export function listFolders(folders: readonly string[]): string {
  const isPlain = (folder: string) => !folder.includes(delimiter) && !folder.startsWith('"');
  return folders.map((folder) => (isPlain(folder) ? folder : JSON.stringify(folder))).join(delimiter);
}

/** The same repository with another index. */
export function withIndex(repository: Repository, index: string): Repository {
  return withEnvironment(repository, { GIT_INDEX_FILE: index });
}

function withEnvironment(repository: Repository, env: NonNullable<GitOptions['env']>): Repository {
  const { ask } = repository;
  return { ...repository, ask: (args, more) => ask(args, { ...more, env: { ...env, ...more?.env } }) };
}

/**
 * A repository that ignores the project (a home folder under git) does not see changes in it. Null: git did
 * not answer.
 */
export async function ignoresProject(
  { root, prefix }: Repository,
  opening: Opening = {},
): Promise<boolean | null> {
  if (prefix === '') return false;
  const folder = `./${readable(prefix.slice(0, -1))}` as const;
  const asking = ['--no-literal-pathspecs', 'check-ignore', '-q', '--', folder] as const;
  const answer = await git(asking, { at: root, ms: opening.ms ?? MAX_GIT_MS, signal: opening.signal });
  return answer.is === 'unanswered' ? null : answer.code === 0;
}

/** The same folder may have several names. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function sayClosed(project: string, asked: GitAnswer): Refusal {
  if (asked.is === 'unanswered' && asked.why === 'no-git')
    return refuse('no-git', 'git could not be started.', 'Install git, or leave out what needs it.');
  if (asked.is === 'unanswered') return refuseSilence();
  if (asked.complaint.includes('dubious ownership'))
    return refuse(
      'not-yours',
      'git does not trust this repository, because its folder belongs to another user.',
      `If it is yours: git config --global --add safe.directory "${project}"`,
    );
  if (/must be run in a work tree|bare repository/.test(asked.complaint))
    return refuse('bare', 'This repository has no work tree.', 'Work in a clone, or in a worktree of it.');
  return noRepository(project);
}

export function refuseSilence(): Refusal {
  return refuse('git-silent', 'git did not answer.', 'Try `git status` in the project.');
}

function noRepository(project: string): Refusal {
  const why = `There is no git repository at ${project}.`;
  return refuse('no-repository', why, 'Make one with `git init`, or leave out the options that need it.');
}

export function refuseOperation(operation: Operation): Refusal {
  const next = `Finish it (git ${operation} --continue) or give it up (git ${operation} --abort) first.`;
  return refuse('unfinished', `The repository is in the middle of a ${operation}.`, next);
}

/** What git said. If it failed, a refusal that begins with `what`. */
export function heard(answer: GitAnswer, code: string, what: string): string | Refusal {
  return saidBy(answer) ?? refusePlainly(code, what, answer);
}

/** The same for a command that says nothing. */
export function obeyed(answer: GitAnswer, code: string, what: string): Refusal | null {
  return saidBy(answer) === null ? refusePlainly(code, what, answer) : null;
}

/** For an error of git's that we did not foresee. */
export function refusePlainly(code: string, what: string, answer: GitAnswer): Refusal {
  const why = answer.is === 'said' ? oneLine(answer.complaint, MAX_COMPLAINT_CHARS) : `git was ${answer.why}`;
  const next = 'Nothing was changed. `git status` shows the current state.';
  return refuse(code, `${what}: ${why.replace(/\.$/, '')}.`, next);
}
