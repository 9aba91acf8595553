/** Aborts a hook that proves or waits: on a signal, or when the host that would read its answer is gone. */
const PARENT_POLL_MS = 500;

interface Liveness {
  readonly isAlive: (process: number) => boolean;
  readonly stopped?: AbortSignal;
}

type Reason = 'terminated' | 'orphaned';

/** `host` may have died before this function was called. The hook then already has another parent. */
export function whileAlive(host: number | null, { isAlive, stopped }: Liveness) {
  // A driver handles the signals of its process itself: on the first Ctrl-C it lets the proofs finish.
  if (stopped !== undefined)
    return {
      signal: stopped,
      why: (): Reason | null => (stopped.aborted ? 'terminated' : null),
      end: () => undefined,
    };
  const controller = new AbortController();
  const parent = process.ppid;
  let why: Reason | null = null;
  const stop = (reason: Reason) => () => {
    why ??= reason;
    controller.abort();
  };
  const terminated = stop('terminated');
  const orphaned = stop('orphaned');
  const look = setInterval(() => {
    if (process.ppid !== parent || (host !== null && !isAlive(host))) orphaned();
  }, PARENT_POLL_MS);
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, terminated);
  // Named, because the published types can't name the signal of a controller.
  const signal: AbortSignal = controller.signal;
  return {
    signal,
    why: () => why,
    end: () => {
      clearInterval(look);
      for (const name of signals) process.off(name, terminated);
    },
  };
}
