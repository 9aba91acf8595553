/** What Da Capo has left in a user's repository: lines of `.git/info/exclude`, and refs of earlier versions. */
import { saidBy } from './git.ts';
import { openRepository } from './repository.ts';

/**
 * The patterns that hide nothing: without such a line, git would show no new file. An empty list if git does not answer.
 */
export async function hidingNothing(project: string, patterns: readonly string[]): Promise<string[]> {
  const repository = patterns.length === 0 ? null : await openRepository(project);
  if (repository?.ok !== true) return [];
  const { ask } = repository;
  const found = await Promise.all(
    patterns.map(async (pattern) =>
      saidBy(await ask(['ls-files', '-z', '--others', '--ignored', `--exclude=${pattern}`])),
    ),
  );
  return patterns.filter((_, i) => found[i] === '');
}

/** Earlier versions kept points here (`refs/dacapo/LOOP/N`). We remove them once their loop is gone. */
const PLACE = 'refs/dacapo/';

/** The refs of loops that no longer exist. */
export async function oldPoints(project: string, known: ReadonlySet<string>): Promise<string[]> {
  const repository = await openRepository(project);
  if (!repository.ok) return [];
  const listed = saidBy(await repository.ask(['for-each-ref', '--format=%(refname)', PLACE])) ?? '';
  return listed.split('\n').filter((ref) => ref !== '' && !known.has(ref.split('/')[2] ?? ''));
}

export async function removeOldPoints(project: string, refs: readonly string[]): Promise<void> {
  const ours = refs.filter((ref) => ref.startsWith(PLACE));
  const repository = ours.length === 0 ? null : await openRepository(project);
  if (repository?.ok !== true) return;
  const input = ours.map((ref) => `delete ${ref}\n`).join('');
  await repository.ask(['update-ref', '--stdin'], { input });
}
