/** Prepares git for a run: its branch, or its own work tree and what a command sets up there. */
import { randomBytes } from 'node:crypto';
import type { Plan } from '#law/record/plan.ts';
import { type Refusal, refuse } from '#base/refusal.ts';
import { goToBranch } from '#evidence/git/worktree/branch.ts';
import { inspect } from '#evidence/git/lists.ts';
import { sayNames } from '#law/words/phrases.ts';
import { discardWorktree, makeWorktree, mayRemoveWorktree } from '#evidence/git/worktree/worktree.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Store } from '#store/store.ts';
import { closeSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { harmless, oneLine } from '#base/words/sanitize.ts';
import { makeScratch } from '#base/files/scratch.ts';
import { type Account, supervise } from '#base/process/supervise.ts';

export type PreparedGit = Extract<Awaited<ReturnType<typeof prepareGit>>, { ok: true }>;
export type OwnWorktree = NonNullable<PreparedGit['worktree']>;

export interface WorktreeAsked {
  readonly setup: string | null;
  /** The branch that it begins with; by default the current commit. */
  readonly from?: string;
  /** Its name. One that exists already is used again. By default it is a new one. */
  readonly name?: string;
}

interface GitAsked {
  readonly project: string;
  readonly plan: Plan;
  readonly worktree: WorktreeAsked | null;
}

/** A rehearsal makes nothing, and says what it would make. */
export async function prepareGit({ project, plan, worktree }: GitAsked, isRehearsal: boolean, store: Store) {
  const here = { ok: true as const, project, plan, worktree: null };
  const { branch } = plan;
  if (worktree !== null && !isRehearsal) return ownWorktree(project, plan, worktree, store);
  if (worktree !== null) {
    const found = await inspect(project);
    const where = `in a separate work tree${branch === null ? '' : `, branch ${branch}`}`;
    return found.ok ? { ...here, says: [where, ...sayLeftBehind(found.dirty)] } : found;
  }
  if (branch === null) return { ...here, says: await noteCommits(project, plan) };
  const refused = isRehearsal ? null : await goToBranch(project, branch);
  return refused ?? { ...here, says: [`on branch ${branch}`] };
}

function sayLeftBehind(files: readonly string[]): string[] {
  return files.length === 0 ? [] : [`not in it, because not committed: ${sayNames(files)}`];
}

async function noteCommits(project: string, { commit }: Plan): Promise<string[]> {
  if (commit === 'none') return [];
  const found = await inspect(project);
  if (!found.ok) return [];
  // The task may be to finish it, so this is no reason to refuse.
  if (found.operation !== null)
    return [
      `a ${found.operation} is in progress in the repository, so nothing is committed until it is over.`,
    ];
  // After the next checkout, only the reflog names these commits.
  const detached = 'HEAD is detached, so the commits are on no branch. --branch NAME puts them on one.';
  return found.branch === null ? [detached] : [];
}

export async function withoutGit(project: string, plan: Plan, worktree: boolean): Promise<Refusal | null> {
  if (plan.commit === 'none' && plan.branch === null && !worktree) return null;
  const found = await inspect(project);
  return found.ok ? null : found;
}

async function ownWorktree(project: string, plan: Plan, { from, name }: WorktreeAsked, store: Store) {
  // The loop has no id yet: it is created later, with this work tree as its project.
  const loop = name ?? `run_${randomBytes(4).toString('hex')}`;
  const order = { project, loop, home: store.place() };
  const made = await makeWorktree(order, plan.branch ?? undefined, from);
  if (!made.ok) return made;
  const { path, branch } = made;
  /** Removes it with its branch, and with everything in it. */
  const discard = () => discardWorktree(project, made);
  /** The same, unless something in it has changed. Returns whether it is gone. */
  const discardUnchanged = async () => {
    const may = await mayRemoveWorktree(order);
    if (may.ok) await discard();
    return may.ok;
  };
  // An item of a set has its name in the branch, and its path is as long as the rest of the line.
  const where =
    name === undefined
      ? `in a separate work tree: ${path}, branch ${branch ?? 'none'}`
      : `on branch ${branch ?? 'none'}, in a work tree of its own`;
  return {
    ok: true as const,
    project: made.project,
    plan: { ...plan, worktreeOf: project, branch },
    says: [where, ...sayLeftBehind(made.leftBehind)],
    // One that existed before holds work, so nobody may discard it.
    worktree: made.is === 'there-already' ? null : { path, discard, discardUnchanged },
  };
}

/** A first install on a slow line takes minutes. A command that runs for half an hour hangs. */
const MAX_GIT_MS = 30 * 60_000;
const OUTPUT_POLL_MS = 200;
const MAX_COMMAND_CHARS = 120;

/** Makes what is in no commit, such as installed packages. Its output is shown live. */
export async function setUpWorktree(
  command: string,
  project: string,
  show: (text: string) => void,
  runtime: Runtime,
): Promise<{ readonly ok: true; readonly output: Buffer } | Refusal> {
  const stopped = runtime.stopped ?? new AbortController().signal;
  const folder = makeScratch('setup');
  const output = join(folder, 'output');
  closeSync(openSync(output, 'w', 0o600));
  const shown = showFile(output, show);
  try {
    const order = { command, cwd: project, timeoutMs: MAX_GIT_MS, output };
    const account = await supervise(order, runtime.runner, stopped);
    shown.end();
    const why = stopped.aborted ? 'was stopped' : sayFailure(account);
    if (why === null) return { ok: true, output: readFileSync(output) };
    const setUp = oneLine(command, MAX_COMMAND_CHARS);
    return refuse(
      'worktree-setup',
      `The set-up of the work tree ${why}: ${setUp}. The work tree was removed again.`,
      'Its output is above. Fix the command, or leave out --worktree-setup.',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sayFailure(account: Account): string | null {
  switch (account.is) {
    case 'timed-out':
      return 'took too long';
    case 'unstartable':
      return `could not be started (${oneLine(account.error, MAX_COMMAND_CHARS)})`;
    case 'ended':
      if (account.exit === 0) return null;
      return account.exit === null ? 'was killed' : `failed with exit code ${account.exit}`;
  }
}

function showFile(path: string, show: (text: string) => void): { readonly end: () => void } {
  const file = openSync(path, 'r');
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(64 * 1024);
  const look = () => {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      show(harmless(decoder.decode(buffer.subarray(0, read), { stream: true })));
  };
  const timer = setInterval(look, OUTPUT_POLL_MS);
  return {
    end: () => {
      clearInterval(timer);
      look();
      closeSync(file);
    },
  };
}
