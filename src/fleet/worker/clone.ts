/**
 * Clones of repositories on this machine. All workers of a user share one mirror of each, from which work
 * trees borrow objects, so a second loop of the same repository costs little.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuse, type Granted, type Refusal } from '#base/refusal.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { namesIn } from '#base/files/paths.ts';
import { sha256 } from '#base/files/sha256.ts';
import { git, saidBy, type GitAnswer } from '#evidence/git/git.ts';
import { operand, operands, type Operand } from '#evidence/git/words.ts';
import { FETCH, NETWORK, NETWORK_MS, withRelay } from '#evidence/git/relay.ts';

/** The variables with which git uses the network, where those of this process are a loop's own. */
export type NetworkEnv = Readonly<Record<string, string>>;

const MAX_COMPLAINT_CHARS = 300;
/** A clone gets what the mirror lacks from the repository itself: an older mirror only makes it slower. */
const REFRESH_MS = 3_600_000;
/** Longer than a clone may take. */
const ABANDONED_MS = 2 * NETWORK_MS;

/** Made where there is none, and brought up to date where it is old. */
export async function openGitMirror(
  repo: string,
  mirrors: string,
  network: NetworkEnv,
): Promise<Granted<{ readonly mirror: string }>> {
  const mirror = join(mirrors, `${sha256(repo).slice(0, 16)}.git`);
  mkdirSync(mirrors, { recursive: true, mode: 0o700 });
  const refusal = existsSync(mirror)
    ? await refreshMirror(mirror, repo, network)
    : await makeMirror(mirror, repo, network);
  return refusal ?? { ok: true, mirror };
}

/** Another worker may make it at the same moment: each makes its own, and the first stays. */
async function makeMirror(mirror: string, repo: string, network: NetworkEnv): Promise<Refusal | null> {
  const making = `${mirror}.${randomBytes(6).toString('hex')}`;
  const made = await cloneTo(making, repo, network, '--mirror');
  if (saidBy(made) === null) return refuseGit('The repository could not be cloned', made);
  const kept = await git(['--git-dir', operand(making), 'config', 'gc.auto', '0'], { at: dirname(mirror) });
  if (saidBy(kept) === null) return refuseGit('The mirror could not be kept', kept);
  writeFileSync(fetchedFile(making), '');
  try {
    renameSync(making, mirror);
  } catch {
    rmSync(making, { recursive: true, force: true });
  }
  return null;
}

function fetchedFile(mirror: string): string {
  return join(mirror, 'dacapo-fetched');
}

/**
 * From a relay: an agent of this user may have written settings into the mirror. What goes wrong here, the
 * clone that follows will say.
 */
async function refreshMirror(mirror: string, repo: string, as: NetworkEnv): Promise<null> {
  const fetchedAt = statSync(fetchedFile(mirror), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Date.now() - fetchedAt < REFRESH_MS) return null;
  writeFileSync(fetchedFile(mirror), '');
  const here = { at: mirror, env: { GIT_DIR: mirror } };
  const format = saidBy(await git(['rev-parse', '--show-object-format'], here))?.trim();
  if (format !== 'sha1' && format !== 'sha256') return null;
  const head = saidBy(await git(['rev-parse', '--verify', '--quiet', 'HEAD'], here))?.trim() ?? null;
  const objects = join(mirror, 'objects');
  await withRelay({ repository: { objects, format, head }, into: objects, as }, async (ask) => {
    await ask([...FETCH, operand(repo), '+refs/heads/*:refs/heads/*']);
    const listed = saidBy(
      await ask(['for-each-ref', '--format=update %(refname) %(objectname)', 'refs/heads/']),
    );
    if (listed !== null) await git(['update-ref', '--stdin'], { ...here, input: listed });
  });
  return null;
}

/**
 * What clones have left that were killed. Containers may share the folder, and none sees the processes of
 * another: so only the age of a half tells that nobody makes it any more.
 */
export function dropHalfMirrors(mirrors: string): void {
  const halves = namesIn(mirrors).filter((name) => /\.git\.\w+$/.test(name));
  for (const path of halves.map((name) => join(mirrors, name))) {
    const begunAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (begunAt !== undefined && Date.now() - begunAt > ABANDONED_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Into a new folder, which has no settings yet. */
export function cloneTo(
  path: string,
  repo: string,
  network: NetworkEnv,
  ...flags: CloneFlags
): Promise<GitAnswer> {
  const args = ['clone', '--quiet', ...flags, ...operands(repo, path)] as const;
  return git(args, { at: dirname(path), env: { ...network, ...NETWORK }, ms: NETWORK_MS });
}

type CloneFlags = readonly ['--mirror'] | readonly ['-n', '--reference', Operand];

export function refuseGit(what: string, answer: GitAnswer): Refusal {
  const why =
    answer.is === 'said'
      ? oneLine(answer.complaint, MAX_COMPLAINT_CHARS)
      : `git did not answer: ${answer.why}`;
  return refuse('git', `${what} (${why}).`, 'Check the URL and the git credentials.');
}
