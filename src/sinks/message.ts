/** What is sent for a notice: words for people, and the payload for programs. Pure, and bounded in size. */
import type { RequestKind } from '../core/record/events.ts';
import type { Notice, NoticeKind } from '../core/notices.ts';
import { hash } from '../core/hash.ts';
import { iterationsInAll, topFrame } from '../core/loop.ts';
import { headOf, oneLine } from '../core/words/sanitize.ts';
import { fleetWords } from '../text/commands.ts';
import { sayHeadline, sayNotice } from '../text/notice.ts';

export interface Message {
  readonly title: string;
  readonly text: string;
  /** The loop does nothing until a person acts. */
  readonly urgent: boolean;
  readonly payload: Payload;
}

/** How an attempt to send it went. A channel never throws: what went wrong is a value. */
export type Sent =
  | { readonly ok: true; readonly detail: string }
  /** `again`: it may work later. `afterMs`: when the receiver wants it. */
  | { readonly ok: false; readonly detail: string; readonly again: boolean; readonly afterMs?: number };

export interface Sending {
  readonly message: Message;
  /** Signs the body of a webhook; null: nobody gave one. */
  readonly secret: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly now: () => Date;
}

/** The body of a webhook. The names are public: a change breaks other people's programs. */
export interface Payload {
  /** The same for each attempt to send this notice. A receiver can use it to drop duplicates. */
  readonly id: string;
  readonly event: NoticeKind | 'test';
  readonly at: string;
  readonly loop: string;
  readonly name: string | null;
  readonly project: string;
  readonly status: string;
  readonly title: string;
  readonly text: string;
  readonly iterations: number;
  readonly max_iterations: number | null;
  readonly cost_usd: number;
  readonly tokens: number;
  /** Set when an item of a list is proven. */
  readonly item?: { readonly id: string; readonly title: string };
  /** Set when the loop waits for an answer. */
  readonly request?: RequestPayload;
}

export interface RequestPayload {
  readonly id: string;
  readonly kind: RequestKind;
  readonly what: string;
  readonly why: string;
  readonly expires_at: string;
  /** How a program answers: a signed POST of `{request, answer, note}`, with one of these answers. */
  readonly answers: readonly string[];
  /** Where to; null: the user's config has no `callbackUrl`. */
  readonly callback_url: string | null;
}

const PATH = 500;
const NAME = 100;
const WORDS = 2_000;
const URGENT: readonly NoticeKind[] = ['approval', 'question', 'escalated', 'stuck', 'interrupted'];

export const CALLBACK_PATH = '/callback';

export function messageOf(notice: Notice, callbackUrl: string | null): Message {
  const { is, at, loop, request, item } = notice;
  const title = sayHeadline(notice);
  const text = notice.ofFleet === true ? fleetWords(sayNotice(notice)) : sayNotice(notice);
  const payload: Payload = {
    id: hash(`${loop.id} ${loop.events} ${is} ${at}`),
    event: is,
    at,
    loop: loop.id,
    name: loop.name === null ? null : oneLine(loop.name, NAME),
    project: headOf(loop.project, PATH),
    // An agent that asks in the middle of a pass is stopped by the host a moment later.
    status: request === undefined ? loop.status.is : 'waiting',
    title,
    text,
    iterations: iterationsInAll(loop),
    max_iterations: topFrame(loop).iterations,
    cost_usd: loop.spent.costUsd,
    tokens: loop.spent.tokens,
    ...(item !== undefined && { item: { id: oneLine(item.id, NAME), title: oneLine(item.title, WORDS) } }),
    ...(request !== undefined && {
      request: {
        id: request.id,
        kind: request.kind,
        what: oneLine(request.what.text, WORDS),
        why: oneLine(request.why, WORDS),
        expires_at: request.expires,
        answers: request.kind === 'question' ? ['text', 'approved', 'rejected'] : ['approved', 'rejected'],
        callback_url: callbackUrl && `${callbackUrl.replace(/\/+$/, '')}${CALLBACK_PATH}`,
      },
    }),
  };
  return { title, text, urgent: URGENT.includes(is), payload };
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
