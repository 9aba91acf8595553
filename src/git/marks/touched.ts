/**
 * Warns if a worker left its worktree and changed the main work tree. We mark the main work tree before a pass that
 * runs in its own worktree, and compare afterwards. A person may be at work there too, so this is a warning and no
 * failure.
 */
import type { TreeMark } from '../../core/record/mark.ts';
import { changesSince, treeMark, type MarkOptions } from './mark.ts';
import { sayNames } from '../../core/words/phrases.ts';

export type Strayed =
  | { readonly is: 'untouched' }
  /** `headMoved`: another commit is checked out there now. */
  | { readonly is: 'changed'; readonly files: readonly string[]; readonly headMoved: boolean }
  | { readonly is: 'unknown' };

/** Returns null if the work tree can't be marked, and so can't be guarded. */
export function guardWorktree(
  main: string,
  store: string,
  options: MarkOptions = {},
): Promise<TreeMark | null> {
  return treeMark(main, store, options);
}

export async function hasStrayed(
  main: string,
  before: TreeMark,
  store: string,
  options: MarkOptions = {},
): Promise<Strayed> {
  const changes = await changesSince(main, before, store, options);
  if (changes === null) return { is: 'unknown' };
  const { files, now } = changes;
  const headMoved = headOf(now) !== headOf(before);
  return files.length === 0 && !headMoved ? { is: 'untouched' } : { is: 'changed', files, headMoved };
}

function headOf(mark: TreeMark): string | null {
  return 'head' in mark ? mark.head : null;
}

/** One warning for the person; null if there is nothing to report. */
export function sayStrayed(strayed: Strayed): string | null {
  if (strayed.is !== 'changed') return null;
  const { files, headMoved } = strayed;
  const seen = [
    ...(files.length > 0 ? [`these files changed: ${sayNames(files)}`] : []),
    ...(headMoved ? ['another commit is checked out'] : []),
  ];
  return `While the pass ran in its own worktree, in the project itself ${seen.join('; ')}. Was that you?`;
}
