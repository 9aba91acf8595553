/**
 * A file that is to be moved: what was where when the loop began, and what was seen since. Plain data for the journal.
 */
import { either, list, oneOf, orNull, record, text, whole, type Infer } from '../shape.ts';

export const movedBaseline = record({
  /** Both as the person gave them: absolute, or relative to the project. */
  file: text,
  folder: text,
  watched: either(
    record({ is: oneOf('absent', 'no-file') }),
    /** No hash for a large file: its size and time identify its content. */
    record({ is: oneOf('file'), size: whole, modifiedMs: whole, hash: orNull(text) }),
  ),
  /** What had the file's name in the done folder at that time. */
  there: orNull(record({ size: whole, modifiedMs: whole })),
  /**
   * Files in the done folder at that time with the size of the watched file. Null: too many to recognise a renamed file
   * among them.
   */
  twins: orNull(list(record({ name: text, modifiedMs: whole }))),
  warning: orNull(oneOf('absent', 'no-file', 'done-already', 'folder-unreadable')),
});
export type MovedBaseline = Infer<typeof movedBaseline>;

export type MovedProof =
  | { readonly is: 'moved'; readonly how: 'name' | 'renamed'; readonly to: string }
  /** `gone`: it left its place and has not arrived. */
  | { readonly is: 'not-moved'; readonly origin: 'there' | 'gone' }
  | { readonly is: 'unreadable'; readonly why: string };
