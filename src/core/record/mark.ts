/** The mark of a work tree: what stood there at one moment, in one short line of the journal, and how two are compared. */
import { either, orNull, record, text, type Infer } from '../shape.ts';

export const treeMark = either(
  /** `tree`: every file's name and content as git names them, in the loop's own object store. `head`: the commit that was checked out; null: none yet. */
  record({ tree: text, head: orNull(text) }),
  /** Without a repository: a digest of every file's name, size and time. */
  record({ folder: text }),
  /** As earlier versions wrote it. It still reads, but nobody can tell what has changed since. */
  record({ digest: text }),
);
export type TreeMark = Infer<typeof treeMark>;

/** What stands for the content of the work tree; null: a mark of an earlier version. */
export function contentOf(mark: TreeMark): string | null {
  if ('tree' in mark) return mark.tree;
  return 'folder' in mark ? mark.folder : null;
}

/** Has nothing changed between the two? A commit of what was there already is no change. */
export function isSameTree(a: TreeMark, b: TreeMark): boolean {
  const content = contentOf(a);
  return content !== null && content === contentOf(b);
}
