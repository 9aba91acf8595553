/**
 * What a program prints, kept in a file of bounded size: the beginning as it comes, and the end once it is over. A
 * summary of what failed stands in the end, so that is what must not be lost. A full disk loses words, and nothing else.
 */
import { writeSync } from 'node:fs';

/** A check that prints without end must not fill the disk, nor the memory with the end of it. */
const MOST = { head: 12 * 1024 * 1024, tail: 4 * 1024 * 1024 };

export interface KeptOutput {
  readonly take: (chunk: Buffer) => void;
  /** Writes the end. What comes later is let go. */
  readonly close: () => void;
}

export function keepOutput(file: number, most: { head: number; tail: number } = MOST): KeptOutput {
  let room = most.head;
  let tail: Buffer[] = [];
  let held = 0;
  let dropped = 0;
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
    tail.push(chunk);
    held += chunk.length;
    for (let over = held - most.tail; over > 0; over = held - most.tail) {
      const oldest = tail[0] ?? chunk;
      const cut = Math.min(over, oldest.length);
      if (cut === oldest.length) tail.shift();
      else tail[0] = oldest.subarray(cut);
      held -= cut;
      dropped += cut;
    }
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
      if (open && dropped > 0) write(Buffer.from(`\n[Da Capo: ${dropped} bytes were not kept here]\n`));
      if (open && held > 0) write(Buffer.concat(tail));
      open = false;
      tail = [];
    },
  };
}
