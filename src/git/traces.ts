/** What Da Capo has left in a user's repository: lines of `.git/info/exclude`. */
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
