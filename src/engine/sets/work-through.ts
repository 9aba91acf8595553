/**
 * Works through a set: some items at a time, each until its branch is merged, one merge after the other. It
 * keeps no state: when it starts again, it asks for the state of each item. Where loops run and how branches
 * are merged is up to the port: in work trees of this machine, or in a fleet.
 */
import type { Advice } from '#telling/advice.ts';

export interface SetPort<Item> {
  /** Begins the loop of an item, or continues it, until it rests or ends. At once if it has ended. */
  readonly work: (item: Item) => Promise<Worked>;
  /** Merges the branch of an item. Never called for two items at a time. */
  readonly merge: (item: Item) => Promise<Merged>;
  /** A loop of its own, in the same work tree, mends what keeps the branch from being merged. */
  readonly mend: (item: Item, broken: Broken) => Promise<Worked>;
  /** Aborted: no further loop begins. */
  readonly stopped: AbortSignal;
}

export type Worked = { readonly is: 'completed' } | LeftItem;
/** `unchanged`: the item is done and its loops have committed nothing, so there is nothing to merge. */
interface Landed {
  readonly is: 'merged' | 'unchanged';
}
export type Merged = Landed | Broken | LeftItem;
export type SetOutcome = Landed | LeftItem;

export interface LeftItem {
  readonly is: 'left';
  /** Of the refusal that kept a loop from beginning. */
  readonly code?: string;
  readonly why: string;
  readonly next: Advice | null;
}

/** An agent may be able to mend it. `output`: of the checks that failed. */
export interface Broken {
  readonly is: 'broken';
  readonly why: string;
  readonly next: string;
  readonly conflicts: readonly string[];
  readonly output: string;
}

/** A second one, because another branch may have been merged while the first was mended. */
const MAX_MENDS = 2;

export const NOT_BEGUN: LeftItem = { is: 'left', why: 'not begun', next: null };

export async function workThrough<Item>(
  items: readonly Item[],
  atOnce: number,
  port: SetPort<Item>,
  ended: (item: Item, outcome: SetOutcome) => void,
): Promise<SetOutcome[]> {
  const outcomes: SetOutcome[] = items.map(() => NOT_BEGUN);
  const oneByOne = queue();
  const waiting = items.entries();
  const worker = async () => {
    // All workers share one iterator: the first free one takes the next item.
    for (const [at, item] of waiting) {
      if (port.stopped.aborted) return;
      const outcome = await workOn(item, port, oneByOne);
      outcomes[at] = outcome;
      ended(item, outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcomes;
}

async function workOn<Item>(item: Item, port: SetPort<Item>, oneByOne: Queue): Promise<SetOutcome> {
  let worked = await port.work(item);
  for (let mends = 0; ; mends++) {
    if (worked.is === 'left') return worked;
    const merged = await oneByOne(() => port.merge(item));
    if (merged.is !== 'broken') return merged;
    if (mends === MAX_MENDS || port.stopped.aborted) return { ...merged, is: 'left' };
    worked = await port.mend(item, merged);
  }
}

type Queue = <T>(act: () => Promise<T>) => Promise<T>;

function queue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  };
}
