/** Ends a pass whose host retries what no retry can fix (no login, no credit). The host would spend minutes on it. */
import type { Fate } from '../hosts/headless.ts';
import type { StreamEvent } from '../hosts/stream.ts';

export interface HopelessWatch {
  /** Aborted: the pass can only fail. */
  readonly signal: AbortSignal;
  readonly hear: (event: StreamEvent) => void;
  readonly why: () => Extract<Fate, { is: 'fatal' }> | null;
}

/** After the first refusal, the host may renew an expired login by itself. */
const ENOUGH_TRIES = 3;

export function watchForHopeless(): HopelessWatch {
  const controller = new AbortController();
  let why: ReturnType<HopelessWatch['why']> = null;
  return {
    signal: controller.signal,
    hear: (event) => {
      if (event.is !== 'retry' || event.hopeless === null || event.attempt < ENOUGH_TRIES) return;
      const word = [event.status, event.why].filter((part) => part !== null).join(' ');
      why ??= { is: 'fatal', kind: event.hopeless, why: `${word}, ${event.attempt} times in a row` };
      controller.abort();
    },
    why: () => why,
  };
}
