import type { AnswerActor } from '#law/record/events.ts';

/** How an answer was given, in words that follow "approved". A moved file does not say who moved it. */
export const ANSWERERS: Readonly<Record<AnswerActor, string>> = {
  terminal: 'from a terminal',
  session: 'in the session',
  file: 'by a moved file',
  view: 'in the terminal view',
  page: 'on the page',
  webhook: 'by a callback of the webhook',
};
