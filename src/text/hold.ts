/** What a person is told of a stop that is let through. Few stops are. */
import type { Verdict } from '../core/verdict.ts';

export function sayHold(verdict: Extract<Verdict, { is: 'allow' }>): string {
  return verdict.why === 'queue'
    ? 'Da Capo: what waits in the queue comes first; the loop goes on after it.'
    : 'Da Capo: waiting for background work; no iteration is spent.';
}
