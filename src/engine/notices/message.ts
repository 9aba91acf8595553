/** What is sent for a notice: words for people, and the payload for programs. Pure, and bounded in size. */
import type { Notice, NoticeKind } from '#law/notices.ts';
import { hash } from '#base/hash.ts';
import { iterationsInAll } from '#law/loop.ts';
import { headOf, oneLine } from '#base/words/sanitize.ts';
import { sayHeadline, sayNotice } from '#telling/notice.ts';

export interface Message {
  readonly title: string;
  readonly text: string;
  /** The loop does nothing until a person acts. */
  readonly urgent: boolean;
  readonly payload: Payload;
}

/** How an attempt to send it went. A channel never throws: what went wrong is a value. */
export type SendResult =
  | { readonly ok: true; readonly detail: string }
  /** `again`: it may work later. `afterMs`: when the receiver wants it. */
  | { readonly ok: false; readonly detail: string; readonly again: boolean; readonly afterMs?: number };

export interface SendOrder {
  readonly message: Message;
  /** Signs the body of a webhook; null: nobody gave one. */
  readonly secret: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly now: () => Date;
}

const MAX_PATH_CHARS = 500;
const MAX_NAME_CHARS = 100;
const MAX_TEXT_CHARS = 2_000;
const URGENT: readonly NoticeKind[] = ['approval', 'question', 'escalated', 'stuck', 'interrupted'];

export const CALLBACK_PATH = '/callback';

export function messageForNotice(notice: Notice, callbackUrl: string | null): Message {
  const title = sayHeadline(notice);
  const text = sayNotice(notice);
  const payload = payloadOf(notice, { title, text }, callbackUrl);
  return { title, text, urgent: URGENT.includes(notice.is), payload };
}

type Payload = Omit<ReturnType<typeof payloadOf>, 'event'> & { readonly event: NoticeKind | 'test' };

/** The body of a webhook. The names are public: a change breaks other people's programs. */
function payloadOf(
  { is, at, loop, request, item }: Notice,
  words: Pick<Message, 'title' | 'text'>,
  callbackUrl: string | null,
) {
  // An agent that asks in the middle of a pass is stopped by the host a moment later.
  const status: string = request === undefined ? loop.status.is : 'waiting';
  return {
    /** The same for each attempt to send this notice. A receiver can use it to drop duplicates. */
    id: hash(`${loop.id} ${loop.events} ${is} ${at}`),
    event: is,
    at,
    loop: loop.id,
    name: loop.name === null ? null : oneLine(loop.name, MAX_NAME_CHARS),
    project: headOf(loop.project, MAX_PATH_CHARS),
    status,
    ...words,
    iterations: iterationsInAll(loop),
    max_iterations: loop.frame.iterations,
    cost_usd: loop.spent.costUsd,
    tokens: loop.spent.tokens,
    /** Set when an item of a list is proven. */
    ...(item !== undefined && {
      item: { id: oneLine(item.id, MAX_NAME_CHARS), title: oneLine(item.title, MAX_TEXT_CHARS) },
    }),
    /** Set when the loop waits for an answer. */
    ...(request !== undefined && {
      request: {
        id: request.id,
        kind: request.kind,
        what: oneLine(request.what.text, MAX_TEXT_CHARS),
        why: oneLine(request.why, MAX_TEXT_CHARS),
        expires_at: request.expires,
        /** How a program answers: a signed POST of `{request, answer, note}`, with one of these answers. */
        answers: request.kind === 'question' ? ['text', 'rejected'] : ['approved', 'rejected'],
        /** Where to; null: the user's config has no `callbackUrl`. */
        callback_url: callbackUrl && `${callbackUrl.replace(/\/+$/, '')}${CALLBACK_PATH}`,
      },
    }),
  };
}

/** For `dacapo notify --test`. */
export function testMessage(at: string, id: string): Message {
  const title = 'Da Capo: a test';
  const text = 'This is what a notification of Da Capo looks like.';
  const loop = { loop: 'TEST', name: null, project: '', status: 'test' };
  const figures = { iterations: 0, max_iterations: null, cost_usd: 0, tokens: 0 };
  const payload: Payload = { id, event: 'test', at, ...loop, title, text, ...figures };
  return { title, text, urgent: false, payload };
}
