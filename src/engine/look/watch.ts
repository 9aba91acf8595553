/**
 * Reports when loops change, without a daemon and on every platform and file system: it polls the stamps of
 * the store.
 */
import type { Runtime } from '#store/runtime.ts';

/** Looks live. A look takes one `stat` per loop. */
const POLL_MS = 250;

/**
 * Calls `tell` after each change until `signal` aborts. What was there before is not a change. `isHeard`:
 * false while there is nobody to tell, so that nothing is looked at.
 */
export function watchLoops(
  signal: AbortSignal,
  runtime: Pick<Runtime, 'store'>,
  tell: () => void,
  isHeard = () => true,
): void {
  if (signal.aborted) return;
  let known = readStamps(runtime);
  const poll = setInterval(() => {
    if (!isHeard()) return;
    const now = readStamps(runtime) ?? known;
    if (now === known) return;
    known = now;
    tell();
  }, POLL_MS);
  signal.addEventListener('abort', () => clearInterval(poll));
}

/** Null: the store can't be read at this moment. The next look may. */
function readStamps({ store }: Pick<Runtime, 'store'>): string | null {
  try {
    return JSON.stringify(store.stamps());
  } catch {
    return null;
  }
}
