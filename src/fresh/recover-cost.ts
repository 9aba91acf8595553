/**
 * What a pass had spent when its driver was killed. The driver could not record it, but the stream was kept. The next
 * driver counts it once, so that a budget covers the whole loop.
 */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../core/record/events.ts';
import type { Runtime } from '../store/runtime.ts';
import { evidenceFolder } from '../store/evidence.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { countSpent } from './settle.ts';
import type { FreshRun } from './options.ts';
import { readStream } from './pass/pass-record.ts';

/** After either of these, the cost of a pass is in the journal. */
const ACCOUNTS: readonly Event['type'][] = ['verdict', 'faulted'];
const STREAM = /^(?:pass|compaction)-[\d-]+\.jsonl$/;

export async function countLost(open: OpenLoop, run: FreshRun, runtime: Runtime): Promise<void> {
  const { events } = open.journal.read(0);
  const at = events.findLastIndex(({ type }) => type === 'taken');
  const taken = events[at];
  if (taken === undefined || events.slice(at + 1).some(({ type }) => ACCOUNTS.includes(type))) return;
  // A `spent` before the pass, for compacting its context, does not cover the pass itself.
  const spent = events.findLast(({ type }, k) => k > at && type === 'spent');
  const since = spent === undefined ? Date.parse(taken.at) : Date.parse(spent.at) + 1;
  const path = streamSince(evidenceFolder(open), since);
  if (path === null) return;
  const reader = readStream(run.host, () => undefined);
  try {
    // Read in chunks: the stream of one night may be a gigabyte.
    for await (const chunk of createReadStream(path)) if (Buffer.isBuffer(chunk)) reader.push(chunk);
  } catch {
    // What we have read so far counts.
  }
  reader.end();
  countSpent(open, reader.record(), run, runtime);
}

/** The newest stream, if it was written since then. */
function streamSince(folder: string, since: number): string | null {
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
