/** Tells the person that a stop is let through, by us or by the host. Few stops are. */
import type { Loop } from '../core/loop.ts';
import type { Verdict } from '../core/record/verdict.ts';
import { sayRequests } from './requests.ts';
import { capWords } from './status.ts';

export function sayHold(verdict: Extract<Verdict, { is: 'allow' }>, loop: Loop): string {
  if (verdict.why === 'approval') return sayRequests(loop);
  return verdict.why === 'queue'
    ? 'Da Capo: what you typed comes first. Unless it ends the loop, the loop continues after it.'
    : 'Da Capo: waiting for background work; no iteration is spent.';
}

export function sayCapped({ cap }: Pick<Loop, 'cap'>, resume: string): string {
  return ` The host's cap ${capWords(cap)} in a row without a tool call may end the turn here: ${resume} then continues it.`;
}
