/** Stop hooks that `dacapo hooks add --loop ID` stored for loops that are gone. */
import { isAbsolute } from 'node:path';
import type { Store, StoredHook } from '../../store/store.ts';

/**
 * `removed`: the loops that are pruned now. Hooks of a project stay, and so do those of a loop that can't be read, and a
 * file that can't be read: each may be a guard.
 */
export function hooksOfGone({ hooks, stamps }: Store, removed: ReadonlySet<string>): readonly StoredHook[] {
  const ids = new Set(stamps().flatMap(({ id }) => (removed.has(id) ? [] : [id])));
  const stored = hooks.any() ? hooks.read() : null;
  return stored?.ok === true
    ? stored.hooks.filter(({ taskId }) => !isAbsolute(taskId) && !ids.has(taskId))
    : [];
}

export function removeHooks({ hooks }: Store, gone: readonly StoredHook[]): void {
  const stored = hooks.read();
  if (gone.length === 0 || !stored.ok) return;
  const ids = new Set(gone.map(({ id }) => id));
  hooks.write(stored.hooks.filter(({ id }) => !ids.has(id)));
}
