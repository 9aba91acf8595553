/** What a loop that is about to start is to protect: looked at before it is made, so that it can be refused. */
import type { StartRequest } from '../flags/arguments.ts';
import type { Refusal } from '../core/refusal.ts';
import { listProtected, protects, type Listed } from '../proofs/protected.ts';

export interface Protection extends Listed {
  /** Patterns that keep no file as it is: a slip, or a file that is yet to be made. */
  readonly unmatched: readonly string[];
}

/** Null: nothing. */
export function protectionFor(
  { protect }: Pick<StartRequest, 'protect'>,
  project: string,
): Protection | Refusal | null {
  if (protect.length === 0) return null;
  const listed = listProtected(protect, project);
  return listed.ok ? { ...listed, unmatched: unmatchedIn(listed, protect, project) } : listed;
}

function unmatchedIn({ files }: Listed, patterns: readonly string[], project: string): string[] {
  return patterns.filter((pattern) => {
    if (pattern.startsWith('!')) return false;
    const matches = protects([pattern], project);
    return !files.some(({ path }) => matches(path));
  });
}
