/** Refuses data that a person wrote: says where it is wrong, what is wrong there, and what to do now. */
import { nearest } from '../flags/did-you-mean.ts';

export class HookSpecError extends Error {
  override readonly name = 'HookSpecError';
  readonly code = 'hook-spec';
  /** Where in the data, for example `hook.hooks[1].files`. */
  readonly path: string;
  /** What the person can do now. */
  readonly next: string;

  constructor(path: string, problem: string, next: string) {
    super(`${path} ${problem}. ${next}`);
    this.path = path;
    this.next = next;
  }
}

export function wrong(path: string, wanted: string, value: unknown): HookSpecError {
  return new HookSpecError(
    path,
    value === undefined ? 'is missing' : `is ${named(value)}`,
    `It must be ${wanted}.`,
  );
}

export function didYouMean(typed: unknown, known: readonly string[]): string {
  const meant = typeof typed === 'string' ? nearest(typed, known) : null;
  return meant === null ? '' : `Did you mean ${meant}? `;
}

/** Enough of a value to recognise it. */
export function named(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
