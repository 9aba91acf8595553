/** Where bytes go, and whether whoever reads them keeps up. */

/** A stream of Node's is one. */
export interface OutletStream {
  write(text: string): boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

export interface Outlet {
  /** False: the reader is behind. What was written is kept all the same. */
  readonly write: (text: string) => boolean;
  readonly isBehind: () => boolean;
  /** Resolves at once where nothing is held back. */
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
      // A reader that went away takes nothing any more: nobody shall wait for it.
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
