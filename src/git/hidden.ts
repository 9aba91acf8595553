/** Whether a line of `.git/info/exclude` hides anything: taken out, git would show it as a new file. */
import { saidBy } from './git.ts';
import { openRepository } from './repository.ts';

/** Those that hide nothing. None where git does not tell. */
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
