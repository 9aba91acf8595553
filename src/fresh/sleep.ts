/**
 * Notices that this process stood still: the machine slept, or someone suspended the run (Ctrl-Z). Otherwise a night with
 * the lid closed would count as work and use up the loop's time limit.
 */

const LOOK_MS = 1_000;
/** A busy machine delays a timer by seconds. Less than a minute is not worth a line. */
const WORTH_A_LINE_MS = 60_000;

export interface SleepWatch {
  /** Looks now, because the next timer may come too late. */
  readonly look: () => void;
  readonly end: () => void;
}

/** Compares the wall clock between two looks: not every system's monotonic clock stands still during a sleep. */
export function watchForSleep(slept: (ms: number) => void, now: () => string): SleepWatch {
  let last = Date.parse(now());
  const look = () => {
    const at = Date.parse(now());
    const ms = at - last - LOOK_MS;
    last = at;
    if (ms >= WORTH_A_LINE_MS) slept(ms);
  };
  const timer = setInterval(look, LOOK_MS);
  return { look, end: () => clearInterval(timer) };
}
