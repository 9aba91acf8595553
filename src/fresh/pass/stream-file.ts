/** The raw stream of a pass, kept as evidence: bounded, and never a reason for a pass to fail. */
import { closeSync, openSync, writeSync } from 'node:fs';

export interface StreamFile {
  write(chunk: Buffer): void;
  /** Returns how many bytes came, and how many of them are in the file. */
  close(): KeptStream;
}

export interface KeptStream {
  readonly bytes: number;
  readonly kept: number;
}

/** Enough for hours of work. A longer stream is noise and would fill the disk. */
const MOST = 64 * 1024 * 1024;

export function keepStream(path: string | null, most: number = MOST): StreamFile {
  let file = path === null ? null : opened(path);
  let bytes = 0;
  let kept = 0;
  const put = (chunk: Buffer | string): number => {
    if (file === null) return 0;
    try {
      return typeof chunk === 'string' ? writeSync(file, chunk) : writeSync(file, chunk);
    } catch {
      // The disk is full. The pass matters more than its record.
      closeSync(file);
      file = null;
      return 0;
    }
  };
  return {
    write: (chunk) => {
      bytes += chunk.length;
      if (kept < most) kept += put(chunk.subarray(0, most - kept));
    },
    close: () => {
      // A line of JSON like the others, so that readers of the file need no exception for it.
      if (kept < bytes) put(`\n${JSON.stringify({ type: 'dacapo', note: 'cut here', bytes, kept })}\n`);
      if (file !== null) closeSync(file);
      file = null;
      return { bytes, kept };
    },
  };
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'a', 0o600);
  } catch {
    return null;
  }
}
