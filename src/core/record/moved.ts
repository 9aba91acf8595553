/** A file that is to be moved: what stood where when the loop began, and what was seen since. Plain data for the journal. */
import { either, list, oneOf, orNull, record, text, whole, type Infer } from '../shape.ts';

export const movedBaseline = record({
  /** Both as the person gave them: absolute, or as seen from the project. */
  file: text,
  folder: text,
  watched: either(
    record({ is: oneOf('absent', 'no-file') }),
    /** Without a hash where the file is large: size and time then stand for its content. */
    record({ is: oneOf('file'), size: whole, modifiedMs: whole, hash: orNull(text) }),
  ),
  /** What stood under the file's name in the done folder then. */
  there: orNull(record({ size: whole, modifiedMs: whole })),
  /** Files of the watched one's size that were in the done folder then; null: too many to tell a renamed file from them. */
  twins: orNull(list(record({ name: text, modifiedMs: whole }))),
  warning: orNull(oneOf('absent', 'no-file', 'done-already', 'folder-unreadable')),
});
export type MovedBaseline = Infer<typeof movedBaseline>;

export type MovedProof =
  | { readonly is: 'moved'; readonly how: 'name' | 'renamed'; readonly to: string }
  /** `gone`: it left its place, and has not arrived. */
  | { readonly is: 'not-moved'; readonly origin: 'there' | 'gone' }
  | { readonly is: 'unreadable'; readonly why: string };
