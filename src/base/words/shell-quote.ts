/** One word for a POSIX shell, in single quotes: nothing in it means anything to the shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", QUOTE)}'`;
}

export function shellUnquoted(inside: string): string {
  return inside.replaceAll(QUOTE, "'");
}

/** Ends the quotes, adds one that is escaped, and begins them again. */
const QUOTE = `'\\''`;

/** A word for a person to paste into a shell, in quotes only if it needs them. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : shellText(word);
}

export function shellText(text: string): string {
  return /^[^"$`\\!]*$/.test(text) ? `"${text}"` : shellQuoted(text);
}
