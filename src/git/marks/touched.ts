/**
 * Warns if a worker left its worktree and changed the main work tree. We mark the main work tree before a pass that
 * runs in its own worktree, and compare afterwards. A person may be at work there too, so this is a warning and no
 * failure.
 */
import type { TreeMark } from '../../core/record/mark.ts';
import { changesSince, type MarkOptions } from './mark.ts';
import { sayNames } from '../../core/words/phrases.ts';

export async function sayStrayed(
  main: string,
  before: TreeMark,
  store: string,
  options: MarkOptions = {},
): Promise<string | null> {
  const changes = await changesSince(main, before, store, options);
  if (changes === null) return null;
  const { files, now } = changes;
  const seen = [
    ...(files.length > 0 ? [`these files changed: ${sayNames(files)}`] : []),
    ...(headOf(now) === headOf(before) ? [] : ['another commit is checked out']),
  ];
  if (seen.length === 0) return null;
  return `While the pass ran in its own worktree, in the project itself ${seen.join('; ')}. Was that you?`;
}

function headOf(mark: TreeMark): string | null {
  return 'head' in mark ? mark.head : null;
}
