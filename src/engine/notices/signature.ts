/**
 * Signs what goes to a webhook, and verifies what comes back from one, as Standard Webhooks say
 * (standardwebhooks.com). Both sides know the secret; the time in the signed text keeps an old message from
 * being used again. The id is signed as well and says the direction, so that a message of one direction never
 * counts in the other.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseAs, maybe, oneOf, record, text, type Infer } from '#base/shape.ts';

export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** One message as it travels. */
export interface Signed {
  readonly id: string;
  /** Seconds since 1970, as text. */
  readonly timestamp: string;
  /** The text exactly as it is sent. */
  readonly body: string;
  /** One or more, with spaces between them. */
  readonly signature: string;
}

/** How far the clocks of both sides may be apart, and how old a callback may be. */
const WINDOW_S = 5 * 60;
const MAX_BODY_CHARS = 64 * 1024;
/** A secret with this mark is base64 of the key's bytes; any other text is the key itself. */
const BASE64_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const NOTICE_ID = 'msg_';
const CALLBACK_ID = /^callback_[\w-]{1,200}$/;

export function noticeId(id: string): string {
  return `${NOTICE_ID}${id}`;
}

export function signatureOf({ id, timestamp, body }: Omit<Signed, 'signature'>, secret: string): string {
  const [, base64] = BASE64_SECRET.exec(secret) ?? [];
  const key = base64 === undefined ? secret : Buffer.from(base64, 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/**
 * An answer to a request, as the sender of a callback writes it. `note`: words for the agent; for `text`, the
 * answer.
 */
const callback = record({
  request: text,
  answer: oneOf('approved', 'rejected', 'text'),
  note: maybe(text),
});
export type Callback = Infer<typeof callback>;
const FIELDS = ['request', 'answer', 'note'];

export type Verified =
  | { readonly ok: true; readonly callback: Callback }
  /**
   * `unsigned`: nothing proves who sent it. `old`: outside of the window. `replayed`: it was accepted before.
   */
  | { readonly ok: false; readonly why: 'no-secret' | 'unsigned' | 'old' | 'replayed' | 'bad-body' };

/**
 * Whether the message comes from someone who knows the secret, now and for the first time. `isNews`: the
 * store's `once`, which says true for the first call with the same words.
 */
export function verifyCallback(
  signed: Signed,
  secret: string | null,
  now: Date,
  isNews: (about: string) => boolean,
): Verified {
  if (secret === null || secret === '') return { ok: false, why: 'no-secret' };
  const { id, timestamp, body, signature } = signed;
  if (!CALLBACK_ID.test(id) || !/^\d{1,12}$/.test(timestamp) || body.length > MAX_BODY_CHARS)
    return { ok: false, why: 'unsigned' };
  const wanted = signatureOf(signed, secret);
  if (!signature.split(' ', MAX_SIGNATURES).some((given) => isSame(given, wanted)))
    return { ok: false, why: 'unsigned' };
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > WINDOW_S) return { ok: false, why: 'old' };
  const read = readCallback(body);
  if (read === null) return { ok: false, why: 'bad-body' };
  // Last, so that a callback that was refused for another reason is not used up.
  return isNews(`callback ${wanted}`) ? { ok: true, callback: read } : { ok: false, why: 'replayed' };
}

/** A sender that changes its secret signs with both. */
const MAX_SIGNATURES = 10;

/** Takes the same time wherever the texts differ. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Strict: a message of ours that someone sends back to us is not an answer. */
function readCallback(body: string): Callback | null {
  const value = parseAs(callback, body);
  return value !== null && Object.keys(value).every((key) => FIELDS.includes(key)) ? value : null;
}
