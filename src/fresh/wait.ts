/** Waiting in the terminal: until an instant, a person's Ctrl-C, or someone's cancel or pause, which is seen within a second. */
import { isLive, type Loop } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';

/** The file system's own notice usually comes first. */
const LOOK_MS = 500;
/** Node takes anything longer for one millisecond; a longer wait goes on after a look. */
const LONGEST_TIMER_MS = 60_000;

export type Held = 'over' | 'stopped';

/** `stopped`: by a signal, or the loop is no longer live. */
export async function holdUntil(
  until: string,
  open: OpenLoop,
  signals: readonly AbortSignal[],
  now: () => string,
  /** What it waits in: as long as this holds, nobody has said otherwise. */
  stands: (loop: Loop) => boolean = isLive,
): Promise<Held> {
  const stopped = () => signals.some(({ aborted }) => aborted) || !stands(open.look());
  for (;;) {
    if (stopped()) return 'stopped';
    const left = Date.parse(until) - Date.parse(now());
    if (left <= 0) return 'over';
    await sleepUnless(Math.min(left, LONGEST_TIMER_MS), open, signals, stands);
  }
}

function sleepUnless(
  ms: number,
  open: OpenLoop,
  signals: readonly AbortSignal[],
  stands: (loop: Loop) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      forget();
      for (const signal of signals) signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    const forget = onEnd(open, wake, stands);
    for (const signal of signals) signal.addEventListener('abort', wake);
  });
}

/** Calls back once the loop is no longer live, by whosever hand; returns how to stop looking. */
export function onEnd(
  open: OpenLoop,
  ended: () => void,
  stands: (loop: Loop) => boolean = isLive,
): () => void {
  let told = false;
  const look = () => {
    if (told || stands(open.look())) return;
    told = true;
    ended();
  };
  const unwatch = open.journal.watch(look);
  const timer = setInterval(look, LOOK_MS);
  return () => {
    told = true;
    unwatch();
    clearInterval(timer);
  };
}
