/** What is wrong with a value that a person, a program or a model gave: where, what, and what to do now. */
import { refuse, type Refusal } from '#base/refusal.ts';
import { nearest } from '#base/words/did-you-mean.ts';

export class ConfigError extends Error {
  /** Where in the data, for example `hook.hooks[1].files`. */
  readonly path: string;
  readonly problem: string;
  readonly next: string;

  constructor(path: string, problem: string, next: string) {
    super(`${path} ${problem}. ${next}`);
    this.path = path;
    this.problem = problem;
    this.next = next;
  }
}

/** `whole`: what the data is called where no field of it is wrong, but all of it. */
export function refuseMisfit(code: string, { path, problem, next }: ConfigError, whole: string): Refusal {
  return refuse(code, `${path === '' ? whole : path} ${problem}.`, next);
}

export function wrong(path: string, wanted: string, value: unknown): ConfigError {
  return new ConfigError(
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
