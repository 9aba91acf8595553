/**
 * The mark of a work tree: its content at one moment, in one short line of the journal, and how two marks are
 * compared.
 */
import { either, orNull, record, text, type Infer } from '#base/shape.ts';

export const treeMark = either(
  /**
   * `tree`: the name and content of every file as git names them, in the loop's own object store. `head`: the
   * commit that was checked out; null: none yet.
   */
  record({ tree: text, head: orNull(text) }),
  /** Without a repository: a digest of the name, size and time of every file. */
  record({ folder: text }),
  /** Written by earlier versions. It can still be read, but it does not tell what has changed since. */
  record({ digest: text }),
);
export type TreeMark = Infer<typeof treeMark>;

/** What identifies the content of the work tree; null: a mark of an earlier version. */
export function contentOf(mark: TreeMark): string | null {
  if ('tree' in mark) return mark.tree;
  return 'folder' in mark ? mark.folder : null;
}

/** Whether nothing changed between the two. A commit of content that was already there is no change. */
export function isSameTree(a: TreeMark, b: TreeMark): boolean {
  const content = contentOf(a);
  return content !== null && content === contentOf(b);
}
