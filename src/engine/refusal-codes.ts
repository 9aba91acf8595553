/** Refusals that a caller treats in its own way. Apart, so that a command need not load what refuses. */
import type { Refusal } from '#base/refusal.ts';

/** It is over in a few seconds. */
export const LETTING_GO = 'letting-go';

/** Every item of the list is done, which is not a failure of a run. */
export function isNothingToDo({ code }: Pick<Refusal, 'code'>): boolean {
  return code === 'nothing-open' || code === 'no-items';
}
