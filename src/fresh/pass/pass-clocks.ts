/** The timers of one pass: its longest duration, its longest silence, and how long it may live after its result. */

export type PassCut = 'timed-out' | 'silent' | 'hung';

export interface PassLimits {
  readonly passMs: number | null;
  /** Time without a byte. A running tool is silent too: the host allows a command ten minutes. */
  readonly silenceMs: number | null;
  /** How long a process may go on after its result before we end it. */
  readonly hangMs: number;
}

/** Calls back once after this time. Returns a function that cancels. */
export type After = (ms: number, act: () => void) => () => void;

export const afterMs: After = (ms, act) => {
  // Node treats a delay above 31 bits as 1 ms.
  const timer = setTimeout(act, Math.min(ms, 2_147_483_647));
  return () => clearTimeout(timer);
};

export interface PassWatch {
  /** The host has sent something. */
  readonly heard: () => void;
  /** Suspends the silence timer until `heard` is called again. */
  readonly deaf: () => void;
  /** Says whether the stream so far ends with a result. */
  readonly settled: (yes: boolean) => void;
  readonly end: () => void;
}

/** `cut` is called at most once. */
export function watchPass(limits: PassLimits, cut: (why: PassCut) => void, after: After): PassWatch {
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
    deaf: () => cancel('silent'),
    settled: (yes) => {
      // Output after the result (a background task that ended) does not reset the timer; a new turn does.
      if (!yes) cancel('hung');
      else if (!cancels.has('hung')) arm('hung', limits.hangMs);
    },
    end,
  };
}
