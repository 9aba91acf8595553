/**
 * Text from outside for people: without control characters, of bounded size, and with our own tags as they
 * were written.
 */
import { endsOf, harmless, oneLine } from '#base/words/sanitize.ts';

/**
 * Stands for `<` for a moment: `harmless` hides our tags from models, and a person should read what was
 * written.
 */
const LESS_THAN = '\uE000';

export function clean(outside: string): string {
  return asWritten(outside, harmless);
}

export function cleanEnds(outside: string, max: number): string {
  return asWritten(outside, (text) => endsOf(text, max));
}

export function cleanLine(outside: string, max: number): string {
  return asWritten(outside, (text) => oneLine(text, max));
}

function asWritten(outside: string, change: (text: string) => string): string {
  return change(outside.replaceAll('<', LESS_THAN)).replaceAll(LESS_THAN, '<');
}
