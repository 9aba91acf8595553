/**
 * What the agent said last, in one line for a person. Our own tags are left out: the claim says what they
 * mean.
 */
import { oneLine } from '#base/words/sanitize.ts';

const TAGGED = /<(promise|loop-done|issue-complete|grind-done)\b[^>]*>[^]*?(?:<\/\1>|$)/gi;

export function lastWords(message: string, max: number): string | null {
  return oneLine(message.replace(TAGGED, ''), max) || null;
}
