/** What a loop that is about to start is to protect: looked at before it is made, so that it can be refused. */
import type { StartRequest } from '../core/arguments.ts';
import type { Refusal } from '../core/refusal.ts';
import { listProtected, type Listed } from '../proofs/protected.ts';

/** Null: nothing. */
export function protectionFor(
  { protect }: Pick<StartRequest, 'protect'>,
  project: string,
): Listed | Refusal | null {
  return protect.length === 0 ? null : listProtected(protect, project);
}
