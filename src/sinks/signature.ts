/**
 * Signs what goes to a webhook, and verifies what comes back from one. Both sides know the secret; the time in the
 * signed text keeps an old message from being used again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseAs, maybe, oneOf, record, text, type Infer } from '../core/shape.ts';

export const TIMESTAMP_HEADER = 'X-Dacapo-Timestamp';
export const SIGNATURE_HEADER = 'X-Dacapo-Signature';

/** How far the clocks of both sides may be apart, and how old a callback may be. */
const WINDOW_S = 5 * 60;
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;
const LONGEST_BODY = 64 * 1024;

/** `timestamp`: seconds since 1970, as text. */
export function signatureOf(timestamp: string, body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** An answer to a request, as the sender of a callback writes it. `note`: words for the agent; for `text`, the answer. */
const callback = record({
  request: text,
  answer: oneOf('approved', 'rejected', 'text'),
  note: maybe(text),
});
export type Callback = Infer<typeof callback>;
const FIELDS = ['request', 'answer', 'note'];

export type Verified =
  | { readonly ok: true; readonly callback: Callback }
  /** `unsigned`: nothing proves who sent it. `old`: outside of the window. `replayed`: it was accepted before. */
  | { readonly ok: false; readonly why: 'no-secret' | 'unsigned' | 'old' | 'replayed' | 'bad-body' };

/**
 * Whether the body comes from someone who knows the secret, now and for the first time. `body` is the text exactly as
 * it was received. `isNews`: the store's `once`, which says true for the first call with the same words.
 */
export function verifyCallback(
  timestamp: string,
  body: string,
  signature: string,
  secret: string | null,
  now: Date,
  isNews: (about: string) => boolean,
): Verified {
  if (secret === null || secret === '') return { ok: false, why: 'no-secret' };
  const hex = SIGNATURE.exec(signature)?.[1];
  if (hex === undefined || !/^\d{1,12}$/.test(timestamp) || body.length > LONGEST_BODY)
    return { ok: false, why: 'unsigned' };
  const wanted = signatureOf(timestamp, body, secret);
  // Takes the same time wherever the texts differ. Both have the same length.
  if (!timingSafeEqual(Buffer.from(`sha256=${hex.toLowerCase()}`), Buffer.from(wanted)))
    return { ok: false, why: 'unsigned' };
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > WINDOW_S) return { ok: false, why: 'old' };
  const read = readCallback(body);
  if (read === null) return { ok: false, why: 'bad-body' };
  // Last, so that a callback that was refused for another reason is not used up.
  return isNews(`callback ${wanted}`) ? { ok: true, callback: read } : { ok: false, why: 'replayed' };
}

/** Strict: a message of ours that someone sends back to us is not an answer. */
function readCallback(body: string): Callback | null {
  const value = parseAs(callback, body);
  return value !== null && Object.keys(value).every((key) => FIELDS.includes(key)) ? value : null;
}
