/** The words for how a loop is: as a user types them, and as the row of a loop has them. */
import { refuse } from '#base/refusal.ts';
import { text, type Shape } from '#base/shape.ts';
import type { StatusWord } from '#law/loop.ts';
import type { Reading } from './values.ts';

const STATUS_WORDS: Readonly<Record<StatusWord, true>> = {
  pending: true,
  running: true,
  waiting: true,
  paused: true,
  interrupted: true,
  completed: true,
  exhausted: true,
  stuck: true,
  escalated: true,
  cancelled: true,
  aborted: true,
};

export const statusWord: Shape<StatusWord> = (value): value is StatusWord =>
  text(value) && Object.hasOwn(STATUS_WORDS, value);

export function readStatuses(given: string): Reading<readonly StatusWord[]> {
  const words = given.split(/[\s,]+/).filter(Boolean);
  const wrong = words.find((word) => !statusWord(word));
  if (wrong === undefined) return { ok: true, value: words.filter(statusWord) };
  const known = Object.keys(STATUS_WORDS).join(', ');
  return refuse('bad-status', `knows no status ${JSON.stringify(wrong)}.`, `Write one of ${known}.`);
}
