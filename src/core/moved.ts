/** File moved (seed 003): what stood where when the loop began, and what was seen since. Plain data for the journal. */
import { oneLine } from './harmless.ts';
import { either, list, oneOf, orNull, record, text, whole, type Infer } from './shape.ts';
import type { Sight } from './sights.ts';

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

export type MovedProof =
  | { readonly is: 'moved'; readonly how: 'name' | 'renamed'; readonly to: string }
  /** `gone`: it left its place, and has not arrived. */
  | { readonly is: 'not-moved'; readonly origin: 'there' | 'gone' }
  | { readonly is: 'unreadable'; readonly why: string };

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

export function movedSight(begun: MovedBaseline, proof: MovedProof): Sight {
  const says = sayMove(begun, proof);
  return {
    gate: 'moved',
    holds: proof.is === 'moved',
    says,
    trouble: proof.is === 'unreadable' ? says : null,
  };
}

/** To the agent and the person: where it went, or what is still lacking. */
function sayMove({ file, folder, watched: begun }: MovedBaseline, proof: MovedProof): string {
  const [watched, done] = [oneLine(file, PATH), oneLine(folder, PATH)];
  if (proof.is === 'moved') {
    const how = proof.how === 'name' ? '' : ', under another name';
    return `${watched} has arrived${how}: ${oneLine(proof.to, PATH)}`;
  }
  if (proof.is === 'unreadable') return `${done} can't be read (${oneLine(proof.why, PATH)})`;
  if (proof.origin === 'there') return `${watched} has not been moved to ${done} yet`;
  return begun.is === 'absent'
    ? `${watched} is neither in its place nor in ${done}`
    : `${watched} is gone from its place, but neither its name nor its content is in ${done}`;
}
