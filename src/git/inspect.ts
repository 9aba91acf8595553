/** The state of a project in git, for messages at a start and for refusals. Reads only. */
import { saidBy } from './git.ts';
import { dirtyFiles } from './lists.ts';
import { openRepository } from './repository.ts';

/** `dirty`: changed, staged, in conflict or untracked; relative to the root. */
export async function inspect(project: string) {
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  const { ok, root, head, branch, operation } = repository;
  const dirty = await dirtyFiles(repository);
  return Array.isArray(dirty) ? { ok, root, head, branch, operation, dirty } : dirty;
}

/** Patterns without which git would show no new file. Empty if git does not answer. */
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
