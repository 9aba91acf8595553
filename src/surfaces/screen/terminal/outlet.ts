/** A stream to write to, which knows whether its reader keeps up. */

export interface OutletStream {
  write(text: string): boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

export function openOutlet(out: OutletStream) {
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
    /** False: the reader is behind. The text is buffered, not lost. */
    write: (text: string): boolean => {
      if (!out.write(text)) waiting ??= wait();
      return waiting === null;
    },
    isBehind: (): boolean => waiting !== null,
    drained: (): Promise<void> => waiting ?? Promise.resolve(),
  };
}
