/**
 * Whether a message may contain one of our tags. Most messages contain none and never load the Markdown parser
 * (`said.ts`).
 */

export function mayHoldTag(message: string, names: readonly string[]): boolean {
  return names.some((name) => message.includes(`<${name}>`) && message.includes(`</${name}>`));
}

/** The promise, and the signals of idle-loop. */
export const TAGS = ['promise', 'loop-done', 'issue-complete', 'grind-done'];
