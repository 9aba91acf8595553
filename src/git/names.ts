/** File names in a sentence: only a few of them, shortened, and without control characters for the terminal. */
import { few } from '../core/words/phrases.ts';
import { oneLine } from '../core/words/sanitize.ts';

const NAMED = 5;
const NAME = 120;

export function sayNames(files: readonly string[]): string {
  return few(files, (file) => oneLine(file, NAME), NAMED).join(', ');
}
