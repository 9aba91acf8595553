/**
 * The leases of a loop since its last counted pass. A loop that ends its workers one after the other, or that
 * no worker can work on, is set aside for a person after a bounded number of them.
 */
import { flag, list, maybe, record, text, whole, type Infer } from '#base/shape.ts';
import { few } from '#law/words/phrases.ts';

/** `paid`: a pass had begun. `why`: what its worker said about it; without it, the worker died. */
const take = record({ epoch: whole, worker: text, at: text, paid: maybe(flag), why: maybe(text) });
export type Take = Infer<typeof take>;

export const takesShape = list(take);

/** Each of these has cost a worker or a paid pass. */
const MAX_COSTLY_TAKES = 5;
/** A git server that is away for an hour must not set every loop aside: with the pauses, two hours. */
const MAX_TAKES = 24;
const MAX_TAKES_LISTED = 3;

/** Why nobody should take the loop any more; null: go on. `epoch`: of the take that asks. */
export function whySetAside(takes: readonly Take[], epoch: number): string | null {
  const before = takes.filter((one) => one.epoch !== epoch);
  const costly = before.filter(({ paid, why }) => paid === true || why === undefined);
  if (costly.length < MAX_COSTLY_TAKES && before.length < MAX_TAKES) return null;
  const shown = few(before.toReversed(), sayTake, MAX_TAKES_LISTED).join('; ');
  return `set aside after ${before.length} tries without a counted pass: ${shown}`;
}

function sayTake({ worker, at, why }: Take): string {
  return `${worker} at ${at}: ${why ?? 'its lease ran out'}`;
}
