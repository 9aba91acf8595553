/** While a hook proves or waits: it ends when it is told to, or when the host that would hear its answer is gone. */
const LOOK_MS = 500;

/** Who lives, and whether a driver has told us to end. */
interface Liveness {
  readonly isAlive: (process: number) => boolean;
  readonly stopped?: AbortSignal;
}

export interface Vigil {
  readonly signal: AbortSignal;
  readonly why: () => 'terminated' | 'orphaned' | null;
  readonly end: () => void;
}

/** `host` may have died before this began, when its hook had another parent already. */
export function whileAlive(host: number | null, { isAlive, stopped }: Liveness): Vigil {
  if (stopped !== undefined) return whileNotStopped(stopped);
  const controller = new AbortController();
  const parent = process.ppid;
  let why: 'terminated' | 'orphaned' | null = null;
  const stop = (reason: 'terminated' | 'orphaned') => () => {
    why ??= reason;
    controller.abort();
  };
  const terminated = stop('terminated');
  const orphaned = stop('orphaned');
  const look = setInterval(() => {
    if (process.ppid !== parent || (host !== null && !isAlive(host))) orphaned();
  }, LOOK_MS);
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, terminated);
  return {
    signal: controller.signal,
    why: () => why,
    end: () => {
      clearInterval(look);
      for (const signal of signals) process.off(signal, terminated);
    },
  };
}

/** A driver reads the signals of its process itself: its first Ctrl-C lets the proofs end in peace. */
function whileNotStopped(signal: AbortSignal): Vigil {
  return { signal, why: () => (signal.aborted ? 'terminated' : null), end: () => undefined };
}
