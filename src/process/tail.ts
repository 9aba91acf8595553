/**
 * What a program prints, kept in a file of bounded size: the beginning as it comes, and the end once it is over. A
 * summary of what failed stands in the end, so that is what must not be lost. A full disk loses words, and nothing else.
 */
import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** A check that prints without end must not fill the disk, nor the memory with the end of it. */
const MOST = { head: 12 * 1024 * 1024, tail: 4 * 1024 * 1024 };

export interface KeptOutput {
  readonly take: (chunk: Buffer) => void;
  /** Writes the end. What comes later is let go. */
  readonly close: () => void;
}

export function keepOutput(file: number, most: { head: number; tail: number } = MOST): KeptOutput {
  let room = most.head;
  /** What came last, in a ring: a program may print byte by byte, and a list of those would be long and slow. */
  let ring: Buffer | null = null;
  /** All that came behind the beginning. */
  let behind = 0;
  let open = true;

  const write = (bytes: Buffer) => {
    try {
      writeSync(file, bytes);
    } catch {
      // The exit code still proves. Thrown, it would end the supervisor and leave the check behind.
      open = false;
    }
  };
  const hold = (chunk: Buffer) => {
    ring ??= Buffer.allocUnsafe(most.tail);
    const last = chunk.subarray(-most.tail);
    const at = (behind + chunk.length - last.length) % most.tail;
    const fits = last.copy(ring, at);
    last.copy(ring, 0, fits);
    behind += chunk.length;
  };
  const held = (): Buffer[] => {
    if (ring === null) return [];
    const at = behind % most.tail;
    return behind < most.tail ? [ring.subarray(0, behind)] : [ring.subarray(at), ring.subarray(0, at)];
  };

  return {
    take: (chunk) => {
      if (!open) return;
      const now = chunk.subarray(0, room);
      room -= now.length;
      if (now.length > 0) write(now);
      if (now.length < chunk.length) hold(chunk.subarray(now.length));
    },
    close: () => {
      const dropped = behind - most.tail;
      if (open && dropped > 0) write(Buffer.from(`\n[Da Capo: ${dropped} bytes were not kept here]\n`));
      for (const bytes of held()) if (open) write(bytes);
      open = false;
      ring = null;
    },
  };
}

/** The last characters of a stream, as far as it has come. */
export function keepTail(stream: Readable, most: number): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-most);
  });
  return () => tail;
}
