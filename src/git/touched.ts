/**
 * A worker may leave its worktree and change main. The main work tree is marked before a pass that runs in a
 * worktree of its own, and looked at after it. A person may be at work there, so what is found is told, and fails nothing.
 */
import type { TreeMark } from '../core/record/mark.ts';
import { filesModifiedSince, treeMark, type MarkOptions } from './mark.ts';
import { sayNames } from './names.ts';

export type Strayed =
  | { readonly is: 'untouched' }
  /** `headMoved`: what is checked out there is another commit now. */
  | { readonly is: 'changed'; readonly files: readonly string[]; readonly headMoved: boolean }
  | { readonly is: 'unknown' };

/** Null: it can't be marked, and so not guarded. */
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
  const files = await filesModifiedSince(main, before, store, options);
  const now = await treeMark(main, store, options);
  if (files === null || now === null) return { is: 'unknown' };
  const headMoved = headOf(now) !== headOf(before);
  return files.length === 0 && !headMoved ? { is: 'untouched' } : { is: 'changed', files, headMoved };
}

function headOf(mark: TreeMark): string | null {
  return 'head' in mark ? mark.head : null;
}

/** One warning for the person; null: there is nothing to say. */
export function sayStrayed(strayed: Strayed): string | null {
  if (strayed.is !== 'changed') return null;
  const { files, headMoved } = strayed;
  const seen = [
    ...(files.length > 0 ? [`these files changed: ${sayNames(files)}`] : []),
    ...(headMoved ? ['another commit is checked out'] : []),
  ];
  return `While the pass ran in its own worktree, in the project itself ${seen.join('; ')}. Was that you?`;
}
