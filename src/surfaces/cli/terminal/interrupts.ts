/** Handles Ctrl-C in the terminal of a run: once stops after this iteration, twice stops now. */
import { isatty } from 'node:tty';
import { hearAll } from './full-terminal.ts';
import { out } from './output.ts';

export type Stops = ReturnType<typeof listenForStops>;

export function listenForStops(onFirst: () => void) {
  const soon = new AbortController();
  const now = new AbortController();
  const interrupt = () => {
    if (soon.signal.aborted) now.abort();
    else onFirst();
    soon.abort();
  };
  const terminate = () => {
    soon.abort();
    now.abort();
  };
  // Node forgets that `nohup` had SIGHUP ignored. A run that uses no terminal goes on when one is closed.
  const hangUp = [0, 1, 2].some((fd) => isatty(fd)) ? terminate : () => undefined;
  const end = hearAll(
    [process, { SIGINT: interrupt, SIGTERM: terminate, SIGHUP: hangUp }],
    // `dacapo run | head` closes the pipe early. The agent must not keep working unwatched.
    [out.stream(), { error: terminate }],
  );
  return {
    soon: soon.signal,
    now: now.signal,
    /** Resolves when `now` aborts. After that, wait for nothing. */
    atOnce: new Promise<void>((resolve) => now.signal.addEventListener('abort', () => resolve())),
    end,
  };
}
