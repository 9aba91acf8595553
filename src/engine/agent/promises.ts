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

const MAX_MESSAGE_CHARS = 200_000;
const MAX_PROMISES = 20;
const MAX_PROMISE_CHARS = 1_000;

/**
 * `wanted`: `BLOCKED` and `ESCALATE` are cries for a person, and any other text is a promise that the task is
 * done. A promise that is given together with a cry does not count.
 */
export function evaluatePromises(message: unknown, wanted: unknown, now: string): PromisesSeen {
  if (!text(message)) return refuse('bad-request', 'The message is not a text.', 'Give what the agent said.');
  if (message.length > MAX_MESSAGE_CHARS) return refuseTooLong(message, MAX_MESSAGE_CHARS);
  const isShort = (one: string) => one.length <= MAX_PROMISE_CHARS;
  if (!list(text)(wanted) || wanted.length > MAX_PROMISES || !wanted.every(isShort))
    return refuse('bad-promises', 'These are not promises.', `Give at most ${MAX_PROMISES} short texts.`);
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
  const content = oneLine(cry.words, MAX_PROMISE_CHARS) || wanted;
  return { type: wanted, detected: true, content, detectedAt: now };
}
