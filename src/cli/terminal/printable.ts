/**
 * Sanitizes what is printed. Names, commands and errors come from projects, journals and other programs; a control
 * character in them could move the cursor over earlier output. Such characters are shown as escapes (`\u001b`), so
 * that a person sees them.
 */
import { escapeCharacter } from '../../core/words/sanitize.ts';

// Our own colours, other control characters, and characters that change the reading direction.
const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /\u001B\[(?:[012]|22|3[1-6]|39)m|(?![\t\n])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** The line ending of some files. */
const RETURN = /\r(?=\n|$)/g;

/** `painted`: keep colours. They can neither hide text nor move it. */
export function printable(text: string, painted: boolean): string {
  return text
    .replace(RETURN, '')
    .replace(SPECIAL, (found) => (painted && found.length > 1 ? found : escaped(found)));
}

/** For text in the middle of a line. It can't begin another line. */
export function inLine(text: string): string {
  return printable(text.replace(/[\t\n\r]/g, escaped), false);
}

function escaped(found: string): string {
  return `${escapeCharacter(found)}${found.slice(1)}`;
}
