/** File moved (seed 003): what stood where when the loop began, and what was seen since. Plain data for the journal. */
import { oneLine } from './harmless.ts';
import { either, list, oneOf, orNull, record, text, whole, type Infer } from './shape.ts';

/** The most that is shown of a path. */
const PATH = 120;

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

export const movedProof = either(
  record({ is: oneOf('moved'), how: oneOf('name', 'renamed'), to: text }),
  /** `gone`: it left its place, and has not arrived. */
  record({ is: oneOf('not-moved'), origin: oneOf('there', 'gone') }),
  record({ is: oneOf('unreadable'), why: text }),
);
export type MovedProof = Infer<typeof movedProof>;

/** To the person, at the start; null: all is as it should be. */
export function sayMovedWarning({ file, folder, warning }: MovedBaseline): string | null {
  const [watched, done] = [oneLine(file, PATH), oneLine(folder, PATH)];
  switch (warning) {
    case null:
      return null;
    case 'absent':
      return `${watched} does not exist: the loop is done when a file of that name arrives in ${done}.`;
    case 'no-file':
      return `${watched} is no regular file: only its name will be looked for in ${done}.`;
    case 'done-already':
      return `${watched} is in its done folder already: the loop is done when it is written there anew.`;
    case 'folder-unreadable':
      return `${done} can't be read, so it can't be seen whether ${watched} arrives there.`;
  }
}

/** What the gate still lacks, to the agent and the person. */
export function sayNotMoved(
  { file, folder }: MovedBaseline,
  proof: Exclude<MovedProof, { is: 'moved' }>,
): string {
  const [watched, done] = [oneLine(file, PATH), oneLine(folder, PATH)];
  if (proof.is === 'unreadable') return `${done} can't be read (${oneLine(proof.why, PATH)})`;
  return proof.origin === 'there'
    ? `${watched} has not been moved to ${done} yet`
    : `${watched} is gone from its place, but neither its name nor its content is in ${done}`;
}

export function sayMove(begun: MovedBaseline, proof: MovedProof): string {
  if (proof.is !== 'moved') return sayNotMoved(begun, proof);
  const how = proof.how === 'name' ? '' : ', under another name';
  return `${oneLine(begun.file, PATH)} has arrived${how}: ${oneLine(proof.to, PATH)}`;
}
