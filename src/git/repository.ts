/** A repository that is written to: opened once, with its own filters off, and every refusal with its remedy. */
import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { oneLine } from '../core/sanitize.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { findFilters } from './filters.ts';
import { git, readable, saidBy, type GitAnswer, type GitOptions } from './git.ts';
import { askPatiently } from './retry-lock.ts';

export interface Repository {
  readonly ok: true;
  readonly root: string;
  /** Of the project below the root, as bytes: empty, or with a slash at its end. */
  readonly prefix: string;
  /** Of this work tree: a linked one has its own. */
  readonly gitDir: string;
  /** The commit that is checked out; null: there is none yet. */
  readonly head: string | null;
  /** Null: detached. */
  readonly branch: string | null;
  readonly operation: Operation | null;
  /** Filters that the repository's own settings define. They are not run, so what passes through them is left alone. */
  readonly ownFilters: readonly string[];
  readonly ask: (args: readonly string[], more?: Pick<GitOptions, 'env' | 'input'>) => Promise<GitAnswer>;
  /** What no tree holds: the empty tree. */
  readonly nothing: string;
}

export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert';

/** What git leaves in its folder in the middle of each. */
const OPERATIONS: readonly (readonly [string, Operation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

/** Snapshots of large work trees and checkouts take their time. */
const MOST_MS = 300_000;
const COMPLAINT = 300;

export async function openRepository(project: string): Promise<Repository | Refusal> {
  const at = { at: project, ms: MOST_MS };
  const top = await git(['rev-parse', '--show-toplevel'], at);
  const out = saidBy(top);
  if (out === null) return sayClosed(project, top);
  const root = readable(out.replace(/\n$/, ''));
  // `core.worktree` can point anywhere: what is not around the project is not ours to write to.
  if (isOutside(root, project)) return noRepository(project);
  const filters = await findFilters('repository', { at: root });
  const here = { at: root, ms: MOST_MS, env: filters?.off ?? {} };
  const ask: Repository['ask'] = (args, more = {}) =>
    askPatiently(() => git(args, { ...here, ...more, env: { ...here.env, ...more.env } }));
  const prefix = saidBy(await git(['rev-parse', '--show-prefix'], at));
  const [gitDir, head, branch, nothing] = await Promise.all([
    ask(['rev-parse', '--absolute-git-dir']).then(saidBy),
    ask(['rev-parse', '--verify', '-q', 'HEAD^{commit}']).then(saidBy),
    ask(['symbolic-ref', '-q', '--short', 'HEAD']).then(saidBy),
    ask(['hash-object', '-t', 'tree', '--stdin']).then(saidBy),
  ]);
  if (filters === null) return refuseOld();
  if (prefix === null || gitDir === null || nothing === null) return sayClosed(project, top);
  const folder = readable(gitDir.replace(/\n$/, ''));
  return {
    ok: true,
    root,
    prefix: prefix.replace(/\n$/, ''),
    gitDir: folder,
    head: head?.trim() ?? null,
    branch: branch === null ? null : readable(branch.trim()),
    operation: OPERATIONS.find(([name]) => existsSync(join(folder, name)))?.[1] ?? null,
    ownFilters: filters.names,
    ask,
    nothing: nothing.trim(),
  };
}

function isOutside(root: string, project: string): boolean {
  const way = relative(real(root), real(project));
  return way.startsWith('..') || isAbsolute(way);
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
    return refuse(
      'no-git',
      'git could not be started.',
      'Install git, or leave out the options that need it.',
    );
  if (asked.is === 'unanswered')
    return refuse('git-silent', 'git did not answer.', 'Try `git status` in the project.');
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

function noRepository(project: string): Refusal {
  return refuse(
    'no-repository',
    `There is no git repository at ${project}.`,
    'Make one with `git init`, or leave out the options that need it.',
  );
}

function refuseOld(): Refusal {
  return refuse(
    'git-old',
    'git did not let its filters be looked at and switched off.',
    'Da Capo needs git 2.31 or newer for this.',
  );
}

export function refuseOperation(operation: Operation): Refusal {
  return refuse(
    'unfinished',
    `The repository is in the middle of a ${operation}.`,
    `Finish it (git ${operation} --continue) or give it up (git ${operation} --abort) first.`,
  );
}

/** Git said no, in words that nobody foresaw. */
export function refusePlainly(code: string, what: string, answer: GitAnswer): Refusal {
  const why = answer.is === 'said' ? oneLine(answer.complaint, COMPLAINT) : `git was ${answer.why}`;
  return refuse(code, `${what}: ${why}`, 'Nothing was changed. `git status` shows where things stand.');
}
