/** What is wrong with a field of the user's config: the message names the field, and the next step how to write it. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import { nearest } from '../did-you-mean.ts';
import type { Reading } from '../values.ts';

export class Misfit extends Error {
  readonly refusal: Refusal;
  constructor(field: string, is: string, next: string) {
    super(is);
    this.refusal = refuse('bad-config', `${field} ${is}.`, next);
  }
}

/** `path`: of the object that has the fields, with a dot at its end; empty for the whole config. */
export function checkFields(
  value: Readonly<Record<string, unknown>>,
  path: string,
  known: readonly string[],
): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const near = nearest(unknown, known);
  const meant = near === null ? '' : `Did you mean ${near}? `;
  throw new Misfit(`${path}${unknown}`, 'is no field of config.json', `${meant}It has: ${known.join(', ')}.`);
}

export function wordsOf(value: unknown, field: string, like: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new Misfit(field, 'is no text', `Write it like ${JSON.stringify(like)}.`);
}

export function given<T>(read: Reading<T>, field: string): T {
  if (read.ok) return read.value;
  throw new Misfit(field, read.message.replace(/\.$/, ''), read.next);
}
