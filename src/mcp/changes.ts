/** Tells clients that a loop has changed. It watches the loops that were read, listed or begun through this server. */
import { hasEnded } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';

/** Each costs a look at a file twice a second where the system has no watches. */
const MOST_WATCHED = 50;

export interface ChangeListener {
  readonly changed: (loop: string) => void;
  readonly listed: () => void;
}

export type LoopChanges = ReturnType<typeof watchLoops>;

export function watchLoops({ store }: Runtime) {
  const watched = new Map<string, () => void>();
  const listeners = new Set<ChangeListener>();
  let isOver = false;

  const grown = (id: string, open: OpenLoop) => {
    for (const { changed } of listeners) changed(id);
    if (hasEnded(open.look())) drop(id);
  };
  const drop = (id: string) => {
    watched.get(id)?.();
    watched.delete(id);
  };
  const watch = (id: string) => {
    // A call may outlive its client. A watch that it begins would keep the process alive forever.
    if (isOver || watched.has(id)) return;
    const open = store.open(id);
    if (open === null) return;
    const [oldest] = watched.size < MOST_WATCHED ? [] : watched.keys();
    if (oldest !== undefined) drop(oldest);
    const unwatch = open.journal.watch(() => grown(id, open));
    watched.set(id, () => {
      unwatch();
      open.close();
    });
  };
  return {
    watch,
    begun: (id: string) => {
      watch(id);
      for (const { listed } of listeners) listed();
    },
    listen: (listener: ChangeListener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end: () => {
      isOver = true;
      [...watched.keys()].forEach(drop);
    },
  };
}
