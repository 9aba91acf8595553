/** Tells the person that the host may let a stop through. Few stops are. */
import type { LoopPart } from '../core/loop.ts';
import { capWords } from './status.ts';

export function sayCapped({ session: { cap } }: LoopPart<'session', 'cap'>, resume: string): string {
  return ` The host's cap ${capWords(cap)} in a row without a tool call may end the turn here: ${resume} then continues it.`;
}
