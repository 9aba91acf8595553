/** Waits in the terminal until an instant, a Ctrl-C, or a cancel or pause from elsewhere, which we see within a second. */
import { hasEnded, isLive, type Loop } from '../core/loop.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import type { Runtime } from '../store/runtime.ts';
import { showViews } from '../views/views.ts';

/** How often we poll. The file system's change notice usually comes first. */
const LOOK_MS = 500;
/** Node treats a delay above 24.8 days as 1 ms. A longer wait continues after a look. */
const LONGEST_TIMER_MS = 60_000;

/** `parked`: whoever runs the driver lets the loop go, and takes it up again when the wait is over. */
export type Held = 'over' | 'stopped' | 'parked';

/** `stopped`: by a signal, or the loop is no longer live. */
export async function holdUntil(
  until: string,
  open: OpenLoop,
  signals: readonly AbortSignal[],
  now: () => string,
  /** The wait goes on as long as this holds for the loop. */
  stands: (loop: Loop) => boolean = isLive,
): Promise<Held> {
  const stopped = () => signals.some(({ aborted }) => aborted) || !stands(open.look());
  const leftNow = () => Date.parse(until) - Date.parse(now());
  const [most, began] = [leftNow(), performance.now()];
  for (;;) {
    if (stopped()) return 'stopped';
    // A clock that is set back must not prolong the wait. The other clock stands still while the machine sleeps.
    const left = Math.min(leftNow(), most - (performance.now() - began));
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

/** Calls back once the loop is no longer live, no matter who ended it. Returns a function that stops watching. */
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

/**
 * Continues the wait for a usage limit that an earlier run met: a pause or an interruption does not end the limit. This
 * process takes over the loop until the reset in the record. It does nothing if that is past.
 */
export function waitOn(open: OpenLoop, runtime: Runtime): void {
  const loop = open.look();
  const { owner } = loop.session;
  const { resetsAt } = loop.run;
  const at = runtime.now();
  if (hasEnded(loop) || owner === null || resetsAt === null) return;
  if (Date.parse(resetsAt) <= Date.parse(at)) return;
  takeOver(open, owner.session, runtime);
  open.write({ type: 'held', at, for: 'limit', until: resetsAt });
  showViews(open, runtime);
  open.keep();
}

/** The record shows which process waits, and on which machine, even after a kill. */
export function takeOver(open: OpenLoop, session: string, runtime: Runtime): void {
  open.write({
    type: 'bound',
    at: runtime.now(),
    session,
    process: runtime.process,
    machine: runtime.store.machine(),
    prompt: null,
    how: 'takeover',
  });
}
