/** Files' names in a sentence: a few, bounded, and without what a terminal would obey. */
import { few } from '../core/words/abbreviate.ts';
import { oneLine } from '../core/words/sanitize.ts';

const NAMED = 5;
const NAME = 120;

export function sayNames(files: readonly string[]): string {
  return few(files, (file) => oneLine(file, NAME), NAMED).join(', ');
}
