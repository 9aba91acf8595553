/** Tells the person in a session, once per cause, that a view of the loop can't be written. Few arrivals need it. */
import type { Answer, Arrival } from '../hosts/arrival.ts';
import type { Runtime } from '../store/runtime.ts';
import { sayViewError } from '../text/fault.ts';

export interface ViewError {
  readonly what: string;
  readonly why: unknown;
}

export function withViewErrors(
  answer: Answer,
  viewErrors: readonly ViewError[],
  { is, from }: Arrival,
  { store }: Runtime,
): Answer {
  // Nobody reads the answer to these, and a call that is let through has no words for the person.
  if (is === 'session-end' || is === 'fault' || answer.is === 'permit') return answer;
  const words = viewErrors.map(({ what, why }) => sayViewError(what, why));
  const news = [...new Set(words)].filter((line) => store.once.isNews(`${from.session} ${line}`));
  if (news.length === 0) return answer;
  const notes = news.map((line) => `Note: ${line}`).join('\n');
  return answer.is === 'silence'
    ? { is: 'tell', toPerson: `Da Capo: ${news.join(' ')}` }
    : { ...answer, toPerson: answer.toPerson === null ? notes : `${answer.toPerson}\n${notes}` };
}
