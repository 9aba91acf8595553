/** What watches a pass: the timers that cut it, a host that retries in vain, and a machine that slept. */
import type { PassOutcome } from '#hosts/port/headless.ts';
import type { StreamEvent } from '#hosts/port/stream.ts';

export type PassCut = 'timed-out' | 'silent' | 'hung';

export interface PassLimits {
  readonly passMs: number | null;
  /** Time without a byte. A running tool is silent too: the host allows a command ten minutes. */
  readonly silenceMs: number | null;
  readonly hangMs: number;
}

export type After = (ms: number, act: () => void) => () => void;

export const afterMs: After = (ms, act) => {
  // Node treats a delay above 31 bits as 1 ms.
  const timer = setTimeout(act, Math.min(ms, 2_147_483_647));
  return () => clearTimeout(timer);
};

/** `cut` is called at most once. */
export function watchPass(limits: PassLimits, cut: (why: PassCut) => void, after: After) {
  let over = false;
  const cancels = new Map<PassCut, () => void>();
  const cancel = (why: PassCut) => {
    cancels.get(why)?.();
    cancels.delete(why);
  };
  const end = () => {
    over = true;
    for (const [why] of cancels) cancel(why);
  };
  const arm = (why: PassCut, ms: number | null) => {
    cancel(why);
    if (ms === null || over) return;
    cancels.set(
      why,
      after(ms, () => {
        end();
        cut(why);
      }),
    );
  };
  arm('timed-out', limits.passMs);
  arm('silent', limits.silenceMs);
  return {
    heard: () => arm('silent', limits.silenceMs),
    /** Until `heard` is called again. */
    deaf: () => cancel('silent'),
    /** Whether the stream so far ends with a result. */
    settled: (yes: boolean) => {
      // Output after the result (a background task that ended) does not reset the timer; a new turn does.
      if (!yes) cancel('hung');
      else if (!cancels.has('hung')) arm('hung', limits.hangMs);
    },
    end,
  };
}

/** After the first refusal, the host may renew an expired login by itself. */
const HOPELESS_AFTER_TRIES = 3;

/**
 * Ends a pass whose host retries what no retry can fix (no login, no credit). The host would spend minutes on
 * it.
 */
export function watchForHopeless() {
  const controller = new AbortController();
  let why: Extract<PassOutcome, { is: 'fatal' }> | null = null;
  return {
    signal: controller.signal,
    hear: (event: StreamEvent) => {
      if (event.is !== 'retry' || event.hopeless === null || event.attempt < HOPELESS_AFTER_TRIES) return;
      const word = [event.status, event.why].filter((part) => part !== null).join(' ');
      why ??= { is: 'fatal', kind: event.hopeless, why: `${word}, ${event.attempt} times in a row` };
      controller.abort();
    },
    why: () => why,
  };
}

const SLEEP_POLL_MS = 1_000;
/** A busy machine delays a timer by seconds. Less than a minute is not worth a line. */
const WORTH_A_LINE_MS = 60_000;

/**
 * Notices that this process stood still: the machine slept, or someone suspended the run (Ctrl-Z). Otherwise
 * a night with the lid closed would count as work and use up the loop's time limit. It compares the wall
 * clock between two looks: not every system's monotonic clock stands still during a sleep. `look` looks at
 * once: the next timer may come too late.
 */
export function watchForSleep(slept: (ms: number) => void, now: () => string) {
  let last = Date.parse(now());
  const look = () => {
    const at = Date.parse(now());
    const ms = at - last - SLEEP_POLL_MS;
    last = at;
    if (ms >= WORTH_A_LINE_MS) slept(ms);
  };
  const timer = setInterval(look, SLEEP_POLL_MS);
  return { look, end: () => clearInterval(timer) };
}
