/** The clocks of one pass: how long it may take, how long it may be silent, and how long it may live after its result. */

export type PassCut = 'timed-out' | 'silent' | 'hung';

export interface PassLimits {
  readonly passMs: number | null;
  /** Without a byte. A tool at work is silent too: the host's own bound on a command is ten minutes. */
  readonly silenceMs: number | null;
  /** After its result, before a process that does not end is ended. */
  readonly hangMs: number;
}

/** Calls back once after so long, unless it is cancelled by what it returns. */
export type After = (ms: number, act: () => void) => () => void;

export const afterMs: After = (ms, act) => {
  // Node takes what does not fit into 32 bits for 1 ms.
  const timer = setTimeout(act, Math.min(ms, 2_147_483_647));
  return () => clearTimeout(timer);
};

export interface Watch {
  /** Something came. */
  readonly heard: () => void;
  /** Until something is heard again, silence means nothing. */
  readonly deaf: () => void;
  /** Whether what came so far ends with a result. */
  readonly settled: (yes: boolean) => void;
  readonly end: () => void;
}

/** `cut` is called at most once. */
export function watchPass(limits: PassLimits, cut: (why: PassCut) => void, after: After): Watch {
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
      // What a process says after its result (a task that ended) does not prolong its life; a new turn does.
      if (!yes) cancel('hung');
      else if (!cancels.has('hung')) arm('hung', limits.hangMs);
    },
    end,
  };
}
