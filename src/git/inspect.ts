/** The state of a project in git, for messages at a start and for refusals. Reads only. */
import type { Refusal } from '../core/refusal.ts';
import { readable, saidBy } from './git.ts';
import { dirtyIn, STATUS } from './lists.ts';
import { heard, openRepository, type Repository } from './repository.ts';

export interface Inspection extends Pick<Repository, 'ok' | 'root' | 'head' | 'branch' | 'operation'> {
  /** Changed, staged, in conflict or untracked; relative to the root. */
  readonly dirty: readonly string[];
}

export async function inspect(project: string): Promise<Inspection | Refusal> {
  const repository = await openRepository(project);
  if (!repository.ok) return repository;
  const { root, head, branch, operation, ask } = repository;
  const out = heard(await ask(STATUS), 'unreadable', 'The work tree could not be read');
  if (typeof out !== 'string') return out;
  return { ok: true, root, head, branch, dirty: dirtyIn(out).map(readable), operation };
}

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
