/**
 * Tells when loops change, without a daemon. It asks the store for its stamps twice a second, which works on every
 * platform and file system. A live loop that has changed once is also watched, to hear of its next events at once.
 */
import { isLive } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';

const POLL_MS = 500;
/** Events of one stop come in a burst. */
const COALESCE_MS = 60;
/** Each watch costs a handle of the system. */
const MOST_WATCHED = 32;

export interface Change {
  /** The loops that are new or whose records have grown, by id. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** Calls `tell` after each change until `signal` aborts. What was there before is not a change. */
export function watchLoops(
  signal: AbortSignal,
  runtime: Pick<Runtime, 'store'>,
  tell: (change: Change) => void,
): void {
  if (signal.aborted) return;
  let known = stampsOf(runtime) ?? new Map<string, string>();
  let timer: NodeJS.Timeout | null = null;
  const watches = new Map<string, () => void>();

  const look = (): void => {
    const now = stampsOf(runtime) ?? known;
    const changed = [...now].flatMap(([id, stamp]) => (known.get(id) === stamp ? [] : [id]));
    const removed = [...known.keys()].filter((id) => !now.has(id));
    known = now;
    if (changed.length + removed.length === 0) return;
    for (const id of changed) rewatch(id);
    for (const id of removed) unwatch(id);
    tell({ changed, removed });
  };
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      look();
    }, COALESCE_MS);
  };
  const unwatch = (id: string): void => {
    watches.get(id)?.();
    watches.delete(id);
  };
  const rewatch = (id: string): void => {
    const open = openQuietly(id, runtime);
    if (open === null || !isLive(open.loop())) unwatch(id);
    else if (!watches.has(id) && watches.size < MOST_WATCHED) watches.set(id, open.journal.watch(soon));
    open?.close();
  };

  const poll = setInterval(look, POLL_MS);
  signal.addEventListener('abort', () => {
    clearInterval(poll);
    if (timer !== null) clearTimeout(timer);
    for (const id of watches.keys()) unwatch(id);
  });
}

/** Null: the store can't be read at this moment. The next look may. */
function stampsOf({ store }: Pick<Runtime, 'store'>): Map<string, string> | null {
  try {
    return new Map(store.stamps().map(({ id, stamp }) => [id, stamp]));
  } catch {
    return null;
  }
}

/** Null: there is none, or a later version of Da Capo wrote it. */
export function openQuietly(id: string, { store }: Pick<Runtime, 'store'>): OpenLoop | null {
  try {
    return store.open(id);
  } catch {
    return null;
  }
}
