/**
 * Which of these promises a text keeps, as the stop hooks see it: only a tag in plain text, on its own,
 * counts.
 */
import { readDistress, readPromise, type Tag } from '#law/proof/promise.ts';
import { refuse, refuseTooLong, type Refusal } from '#base/refusal.ts';
import { list, text } from '#base/shape.ts';
import type { CompletionPromise } from '#law/proof/stop-hooks.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { findTags } from '#evidence/proofs/promise/said.ts';

/** `content`: the promise that was looked for; for one that was detected, its words. */
type PromiseSeen = Readonly<CompletionPromise>;

export type PromisesSeen = { readonly ok: true; readonly promises: readonly PromiseSeen[] } | Refusal;

export const USUAL_PROMISES: readonly string[] = ['COMPLETE', 'BLOCKED', 'ESCALATE'];

const LONGEST_TEXT = 200_000;
const MOST_PROMISES = 20;
const LONGEST_PROMISE = 1_000;

/**
 * `wanted`: `BLOCKED` and `ESCALATE` are cries for a person, and any other text is a promise that the task is
 * done. A promise that is given together with a cry does not count.
 */
export function evaluatePromises(message: unknown, wanted: unknown, now: string): PromisesSeen {
  if (!text(message)) return refuse('bad-request', 'The message is not a text.', 'Give what the agent said.');
  if (message.length > LONGEST_TEXT) return refuseTooLong(message, LONGEST_TEXT);
  const isShort = (one: string) => one.length <= LONGEST_PROMISE;
  if (!list(text)(wanted) || wanted.length > MOST_PROMISES || !wanted.every(isShort))
    return refuse('bad-promises', 'These are not promises.', `Give at most ${MOST_PROMISES} short texts.`);
  const tags = findTags(message, ['promise']);
  return { ok: true, promises: wanted.map((one) => seen(one, tags, now)) };
}

function seen(wanted: string, tags: readonly Tag[], now: string): PromiseSeen {
  if (wanted !== 'BLOCKED' && wanted !== 'ESCALATE') {
    const kept = readPromise(tags, wanted).is === 'kept';
    return { type: 'COMPLETE', detected: kept, content: wanted, ...(kept && { detectedAt: now }) };
  }
  const cry = readDistress(tags, null);
  if (cry?.is !== wanted.toLowerCase()) return { type: wanted, detected: false, content: wanted };
  const content = oneLine(cry.words, LONGEST_PROMISE) || wanted;
  return { type: wanted, detected: true, content, detectedAt: now };
}
