/** Tells the person in a session, once per cause, that a view of the loop can't be written. Few arrivals need it. */
import type { Answer, Arrival } from '../hosts/arrival.ts';
import type { Runtime } from '../store/runtime.ts';
import { sayUnshown } from '../text/unshown.ts';

export interface Unwritten {
  readonly what: string;
  readonly why: unknown;
}

export function withUnshown(
  answer: Answer,
  unwritten: readonly Unwritten[],
  { is, from }: Arrival,
  { store }: Runtime,
): Answer {
  // Nobody reads the answer to these, and a call that is let through has no words for the person.
  if (is === 'session-end' || is === 'fault' || answer.is === 'permit') return answer;
  const words = unwritten.map(({ what, why }) => sayUnshown(what, why));
  const news = [...new Set(words)].filter((line) => store.once.isNews(`${from.session} ${line}`));
  if (news.length === 0) return answer;
  const notes = news.map((line) => `Note: ${line}`).join('\n');
  return answer.is === 'silence'
    ? { is: 'tell', toPerson: `Da Capo: ${news.join(' ')}` }
    : { ...answer, toPerson: answer.toPerson === null ? notes : `${answer.toPerson}\n${notes}` };
}
