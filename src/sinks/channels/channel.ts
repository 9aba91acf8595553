/** How one message reaches one target. A channel never throws: what went wrong is a value. */
import type { Message } from '../message.ts';

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

/** A text can't begin markup: neither a link nor a mention in a chat, nor what makes a notification disappear. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
