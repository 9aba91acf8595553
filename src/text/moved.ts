/** Puts a file that is to be moved into words. */
import type { MovedBaseline, MovedProof } from '../core/record/definition.ts';
import { oneLine } from '../core/words/sanitize.ts';

/** The longest path shown. */
const PATH = 120;

/** For the person, at the start; null: nothing to remark. */
export function sayMovedWarning({ file, folder, warning }: MovedBaseline): string | null {
  const [watched, done] = [oneLine(file, PATH), oneLine(folder, PATH)];
  switch (warning) {
    case null:
      return null;
    case 'absent':
      return `${watched} does not exist: the loop is done when a file of that name arrives in ${done}.`;
    case 'no-file':
      return `${watched} is not a regular file: only its name will be looked for in ${done}.`;
    case 'done-already':
      return `${watched} is in its done folder already: the loop is done when it is written there again.`;
    case 'folder-unreadable':
      return `${done} can't be read, so it can't be seen whether ${watched} arrives there.`;
  }
}

/** For the agent and the person: where the file went, or what is still missing. */
export function sayMove({ file, folder, watched: begun }: MovedBaseline, proof: MovedProof): string {
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
