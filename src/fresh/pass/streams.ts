/** The streams of passes that a loop keeps as evidence. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readEnd } from '../../files/read.ts';
import type { HeadlessHost } from '../../hosts/headless.ts';
import type { Spent } from '../../hosts/stream.ts';

const STREAM = /^(?:pass|compaction)-[\d-]+\.jsonl$/;
/** The result of a pass is among its last lines. */
const LOOKED_AT = 256 * 1024;

/** The newest stream, if it was written since then. */
export function streamSince(folder: string, since: number): string | null {
  try {
    const [newest] = readdirSync(folder)
      .filter((name) => STREAM.test(name))
      .map((name) => ({ path: join(folder, name), ms: Math.floor(statSync(join(folder, name)).mtimeMs) }))
      .toSorted((a, b) => b.ms - a.ms);
    return newest === undefined || newest.ms < since ? null : newest.path;
  } catch {
    return null;
  }
}

/** What the session of the newest pass had used in all, as its host told it. Null: it did not. */
export function totalSoFar(folder: string, host: HeadlessHost): Spent | null {
  const path = streamSince(folder, 0);
  if (path === null) return null;
  const stream = host.openStream();
  const events = readEnd(path, LOOKED_AT)
    .split('\n')
    .flatMap((line) => stream.read(line));
  const last = events.findLast(({ is }) => is === 'result');
  return last?.is === 'result' && !last.failed ? last.total : null;
}
