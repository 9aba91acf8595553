/** What another program prints, in bounded memory: cut into lines, or kept. */
import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;
/** Larger than any line that matters: an image in a tool's result is a few megabytes. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** A line above the bound is counted and skipped, never held. */
export function cutLines(give: (line: string) => void, longest: number = MAX_LINE_BYTES) {
  let pieces: Buffer[] = [];
  let size = 0;
  let skipping = false;
  let skipped = 0;

  const take = (piece: Buffer) => {
    if (skipping) return;
    size += piece.length;
    if (size > longest) {
      skipping = true;
      skipped++;
      pieces = [];
    } else if (piece.length > 0) pieces.push(piece);
  };
  const close = () => {
    // Decode the whole line at once: a character may be split between two chunks.
    const line = skipping || size === 0 ? null : wholeOf(pieces).toString('utf8');
    pieces = [];
    size = 0;
    skipping = false;
    if (line !== null) give(line.endsWith('\r') ? line.slice(0, -1) : line);
  };
  return {
    push: (chunk: Buffer) => {
      let from = 0;
      for (;;) {
        const at = chunk.indexOf(NEWLINE, from);
        if (at < 0) break;
        take(chunk.subarray(from, at));
        close();
        from = at + 1;
      }
      take(chunk.subarray(from));
    },
    /** The stream has ended: the rest without a newline is a line too. */
    end: close,
    skipped: () => skipped,
  };
}

function wholeOf(pieces: readonly Buffer[]): Buffer {
  const [only, ...others] = pieces;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(pieces);
}

/** A check that prints without end must fill neither the disk nor, with its tail, the memory. */
const MAX_OUTPUT_BYTES = { head: 12 * 1024 * 1024, tail: 4 * 1024 * 1024 };

/**
 * Keeps the beginning in a file as it comes, and the end once the program is over. The end must not be lost,
 * because it holds the summary of what failed. A full disk loses output, and nothing else.
 */
export function keepOutput(file: number, most: { head: number; tail: number } = MAX_OUTPUT_BYTES) {
  let room = most.head;
  /**
   * The last bytes, in a ring: a program may print byte by byte, and a list of such chunks would be long and
   * slow.
   */
  let ring: Buffer | null = null;
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

export function keepTail(stream: Readable, most: number): () => string {
  let tail = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-most);
  });
  return () => tail;
}
