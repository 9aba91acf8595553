/**
 * Earlier versions kept points as refs of the user's repository (`refs/dacapo/LOOP/N`). We remove them once their loop
 * is gone.
 */
import { saidBy } from '../git.ts';
import { openRepository } from '../repository.ts';

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
