/** Cuts a stream of bytes into lines in bounded memory. A line above the bound is counted and skipped, never held. */

const NEWLINE = 0x0a;
/** Larger than any line that matters: an image in a tool's result is a few megabytes. */
const LONGEST = 8 * 1024 * 1024;

export function cutLines(give: (line: string) => void, longest: number = LONGEST) {
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
