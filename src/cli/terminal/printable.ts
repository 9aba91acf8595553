/**
 * What may reach a terminal. Names, commands and errors come from projects, journals and other programs: a control character in them
 * could move the cursor over what was printed before. They are shown as escapes (`\u001b`), so that a person sees that they are there.
 */

// Our own paint, other control characters, and what turns the reading direction.
const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /\u001B\[(?:[012]|22|3[1-6]|39)m|(?![\t\n])\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** The end of a line in some files. */
const RETURN = /\r(?=\n|$)/g;

/** `painted`: colours stay. They can neither hide a text nor move it. */
export function printable(text: string, painted: boolean): string {
  return text
    .replace(RETURN, '')
    .replace(SPECIAL, (found) => (painted && found.length > 1 ? found : escaped(found)));
}

/** A text in the middle of a line: it can't begin another one. */
export function inLine(text: string): string {
  return printable(text.replace(/[\t\n\r]/g, escaped), false);
}

/** JSON reads it back. */
function escaped(found: string): string {
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}${found.slice(1)}`;
}
