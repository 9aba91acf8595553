/** What a person types to Da Capo, by the names that it has where they sit. */
import type { AnswerActor } from '../core/record/events.ts';

export type Commands = Readonly<Record<'resume' | 'cancel' | 'approve' | 'reject' | 'answer', string>>;

export const TERMINAL: Commands = {
  resume: 'dacapo resume',
  cancel: 'dacapo cancel',
  approve: 'dacapo approve',
  reject: 'dacapo reject',
  answer: 'dacapo answer',
};

/** How an answer was given, in words that follow "approved". A moved file does not say whose hand it was. */
export const ANSWERERS: Readonly<Record<AnswerActor, string>> = {
  terminal: 'from a terminal',
  session: 'in the session',
  file: 'by a moved file',
  view: 'in the terminal view',
  page: 'on the page',
  webhook: 'by a callback of the webhook',
};
