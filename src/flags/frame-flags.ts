/** The flags of frames and items that are right by themselves, and wrong together. */
import type { Mode } from '../core/definition.ts';
import { refuse, type Refusal } from '../core/refusal.ts';

interface Asked {
  readonly items: string | null;
  readonly itemsFrom: string | null;
  readonly maxItems: number | null;
  readonly mode: Mode;
}

export function itemsContradiction({ items, itemsFrom, maxItems, mode }: Asked): Refusal | null {
  if (items !== null && itemsFrom !== null)
    return refuse('two-lists', '--items is given beside --items-from.', 'Give one of the two.');
  if (items === null && itemsFrom === null)
    return maxItems === null
      ? null
      : refuse(
          'no-items',
          '--max-items is given without items.',
          'Give them: --items FILE, or --items-from CMD.',
        );
  return mode === 'issue'
    ? refuse('bad-mode', '--as issue is one item, and items are given.', 'Leave --as out.')
    : null;
}

/** What bounds and names a loop as a whole belongs to its outermost frame. */
interface Whole {
  readonly timeoutMs: number | null;
  readonly staleAfterMs: number;
  readonly driver: string;
  readonly name: string | null;
  readonly protect: readonly string[];
}

export function nestContradiction(options: Whole, defaults: Whole): Refusal | null {
  const flags = [
    ['--timeout', 'timeoutMs'],
    ['--stale-after', 'staleAfterMs'],
    ['--mode', 'driver'],
    ['--name', 'name'],
    ['--protect', 'protect'],
  ] as const;
  const given = flags.find(([, field]) => options[field] !== defaults[field]);
  if (given === undefined) return null;
  return refuse('bad-nest', `${given[0]} belongs to the loop as a whole, not to --nest.`, 'Leave it out.');
}
