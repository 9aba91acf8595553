/**
 * Where commands print. `process.stdout` and `process.stderr` load Node's streams, a tenth of the time of a
 * short command. So what a pipe or a file takes at once is written to it directly. The stream gets the rest,
 * and all of it once somebody has asked for the stream.
 */
import { fstatSync, writeSync } from 'node:fs';
import { once } from '#base/shape.ts';

const USUAL_COLUMNS = 80;

type ErrorListener = (error: NodeJS.ErrnoException, stream: NodeJS.WriteStream) => void;

/** For errors of stdout: set before anything is printed. */
export const outputErrors: { listener: ErrorListener | null } = { listener: null };

export const out = openOutput(1, () => {
  const { stdout } = process;
  return stdout.on('error', (error: NodeJS.ErrnoException) => outputErrors.listener?.(error, stdout));
});

/** For what is said beside the answer. */
export const notes = openOutput(2, () => process.stderr);

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

export function openOutput<S extends Stream>(descriptor: number, openStream: () => S) {
  let made: S | null = null;
  const stream = (): S => (made ??= openStream());
  /** Anything else may be a terminal. On Windows only the stream knows how to write to a pipe. */
  const isPipeOrFile = once((): boolean => {
    if (process.platform === 'win32') return false;
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isSocket() || stat.isFile();
  });
  const isScreen = (): boolean => !isPipeOrFile() && Boolean(stream().isTTY);
  /** What is not taken at once. An error that lasts comes again in the stream, which tells its listeners. */
  const notTaken = (bytes: Buffer): Buffer => {
    let at = 0;
    try {
      while (at < bytes.length) at += writeSync(descriptor, bytes, at);
    } catch {
      // A full pipe that does not block, or one without a reader.
    }
    return bytes.subarray(at);
  };
  return {
    stream,
    isScreen,
    /** In a pipe, lines may have any length. A terminal may not know its size, and says 0. */
    width: () => (isScreen() ? stream().columns || USUAL_COLUMNS : Number.POSITIVE_INFINITY),
    write: (text: string): void => {
      const left = made === null && isPipeOrFile() ? notTaken(Buffer.from(text)) : text;
      if (left.length > 0) stream().write(left);
    },
  };
}
