/** The events of a loop as they are written: the past first, then each new one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded } from '#law/loop.ts';
import type { Event } from '#law/record/events.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import type { Runtime } from '#store/runtime.ts';
import { withLoop, openById } from './loops.ts';

export interface Followed {
  /** The number of the event in its journal, from 1 on. Pass it as `after` to go on from here. */
  readonly n: number;
  readonly event: Event;
}

export interface FollowOrder {
  readonly loop: string;
  /** Leaves out the events up to this number. Default: 0, so all are given. */
  readonly after?: number | undefined;
  /** Aborted: the events end. Without it they end with the loop only. */
  readonly signal?: AbortSignal | undefined;
  /** Ends with the loop, although a person may reopen it. Default: true. */
  readonly untilEnded?: boolean | undefined;
}

export type Following = { readonly ok: true; readonly events: AsyncIterable<Followed> } | Refusal;

/** The store's own watch tells of growth; this is for file systems where it fails. */
const POLL_MS = 1_000;

/** The journal is opened when the iteration begins, and closed when it ends. */
export function followLoopEvents(order: FollowOrder, runtime: Runtime): Following {
  const { loop: id, after = 0 } = order;
  if (!Number.isSafeInteger(after) || after < 0)
    return refuse('bad-number', `${after} is no number of an event.`, 'Give 0, or the n of the last event.');
  const opened = openById(id, runtime);
  if (!opened.ok) return opened;
  opened.open.close();
  return { ok: true, events: { [Symbol.asyncIterator]: () => eventsOf(order, runtime) } };
}

async function* eventsOf(
  { loop: id, after = 0, signal, untilEnded = true }: FollowOrder,
  runtime: Runtime,
): AsyncGenerator<Followed, void, undefined> {
  const open = runtime.store.open(id);
  // The loop was removed meanwhile.
  if (open === null) return;
  const bell = openBell();
  signal?.addEventListener('abort', bell.ring);
  const unwatch = open.journal.watch(bell.ring);
  try {
    let from = 0;
    let n = 0;
    while (!signal?.aborted) {
      // Before the read: what is written after it makes another round.
      const ended = untilEnded && hasEnded(open.look());
      const { events, upTo } = open.journal.read(from);
      from = upTo;
      for (const event of events) {
        n++;
        if (n > after) yield { n, event };
        if (signal?.aborted) return;
      }
      if (ended) return;
      // Nothing is written to a loop that was removed.
      if (!(await bell.sleep(POLL_MS)) && withLoop(id, runtime, () => true) === null) return;
    }
  } finally {
    unwatch();
    signal?.removeEventListener('abort', bell.ring);
    open.close();
  }
}

/** A sleep that ends early when somebody rings. A ring while nobody sleeps ends the next one at once. */
function openBell() {
  let rung = new AbortController();
  return {
    ring: () => rung.abort(),
    /** Whether it rang. */
    sleep: async (ms: number): Promise<boolean> => {
      await sleep(ms, undefined, { signal: rung.signal }).catch(() => undefined);
      const { aborted } = rung.signal;
      rung = new AbortController();
      return aborted;
    },
  };
}
