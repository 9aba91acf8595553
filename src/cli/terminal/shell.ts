/** Quotes words for a shell, so that a person can paste them. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : shellText(word);
}

export function shellText(text: string): string {
  return /^[^"$`\\!]*$/.test(text) ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}
