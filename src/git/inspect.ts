/** The state of a project in git, for messages at a start and for refusals. Reads only. */
import type { Refusal } from '../core/refusal.ts';
import { readable } from './git.ts';
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
