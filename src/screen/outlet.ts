/** A stream to write to, which knows whether its reader keeps up. */

export interface OutletStream {
  write(text: string): boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

export interface Outlet {
  /** False: the reader is behind. The text is buffered, not lost. */
  readonly write: (text: string) => boolean;
  readonly isBehind: () => boolean;
  /** Resolves when the reader has caught up; at once if it is not behind. */
  readonly drained: () => Promise<void>;
}

export function openOutlet(out: OutletStream): Outlet {
  let waiting: Promise<void> | null = null;
  const wait = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        out.off('drain', done);
        out.off('close', done);
        waiting = null;
        resolve();
      };
      out.once('drain', done);
      // A reader that is gone will never drain the stream, so stop waiting for it.
      out.once('close', done);
    });
  return {
    write: (text) => {
      if (!out.write(text)) waiting ??= wait();
      return waiting === null;
    },
    isBehind: () => waiting !== null,
    drained: () => waiting ?? Promise.resolve(),
  };
}
