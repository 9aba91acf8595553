/** A run as the tools show it. */
import { word } from '../stop-hooks/config/schema.ts';
import { ANSWER } from './fields.ts';
import { amount, orNull, words } from './schema.ts';

export const count = (description: string) => amount(description, 0, Number.MAX_SAFE_INTEGER);
export const iteration = count('The iteration, the first is 1.');
export const maxIterations = orNull(count('The most iterations of this run.'));
export const loopId = words('The loop of this run, as dacapo status shows it.');
export const action = word('complete', 'continue', 'escalate');
export const reason = words('Why, in words.', ANSWER);
export const nextPrompt = orNull(words('What to do now.', ANSWER));
