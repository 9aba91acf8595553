/** Long lists of words, written over several lines. */

export function wordList(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}

/** Matches a text that as a whole fits one of these patterns. Blanks separate them. */
export function matchOneOf(patterns: string, flags = ''): RegExp {
  return new RegExp(`^(?:${wordList(patterns).join('|')})$`, flags);
}
