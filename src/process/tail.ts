/**
 * Keeps what a program prints in a file of bounded size: the beginning as it comes, and the end once the program is over.
 * The end must not be lost, because it holds the summary of what failed. A full disk loses output, and nothing else.
 */
import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** A check that prints without end must fill neither the disk nor, with its tail, the memory. */
const MOST = { head: 12 * 1024 * 1024, tail: 4 * 1024 * 1024 };

export function keepOutput(file: number, most: { head: number; tail: number } = MOST) {
  let room = most.head;
  /** The last bytes, in a ring: a program may print byte by byte, and a list of such chunks would be long and slow. */
  let ring: Buffer | null = null;
  /** How many bytes came after the head. */
  let behind = 0;
  let open = true;

  const write = (bytes: Buffer) => {
    try {
      writeSync(file, bytes);
    } catch {
      // The exit code still proves the check. A throw would end the supervisor and leave the check running.
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
    take: (chunk: Buffer) => {
      if (!open) return;
      const now = chunk.subarray(0, room);
      room -= now.length;
      if (now.length > 0) write(now);
      if (now.length < chunk.length) hold(chunk.subarray(now.length));
    },
    /** Writes the tail. Later output is dropped. */
    close: () => {
      const dropped = behind - most.tail;
      if (open && dropped > 0) write(Buffer.from(`\n[Da Capo: ${dropped} bytes were not kept here]\n`));
      for (const bytes of held()) if (open) write(bytes);
      open = false;
      ring = null;
    },
  };
}

/** Returns the last characters of what the stream has given so far. */
export function keepTail(stream: Readable, most: number): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-most);
  });
  return () => tail;
}
