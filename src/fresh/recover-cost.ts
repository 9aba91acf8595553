/**
 * What a pass had spent when its driver was killed: nobody was left to write it down, but its stream was kept. Counted
 * once, by whoever takes the loop up next, so that a budget is one for the whole loop.
 */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../core/events.ts';
import type { Runtime } from '../store/runtime.ts';
import { evidenceFolder } from '../store/evidence.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { countSpent } from './settle.ts';
import type { FreshRun } from './options.ts';
import { readStream } from './pass-reader.ts';

/** After either of these the money of a pass is in the journal. */
const ACCOUNTS: readonly Event['type'][] = ['verdict', 'faulted'];
const STREAM = /^(?:pass|compaction)-[\d-]+\.jsonl$/;

export async function countLost(open: OpenLoop, run: FreshRun, world: Runtime): Promise<void> {
  const { events } = open.journal.read(0);
  const at = events.findLastIndex(({ type }) => type === 'taken');
  const taken = events[at];
  if (taken === undefined || events.slice(at + 1).some(({ type }) => ACCOUNTS.includes(type))) return;
  // What was spent before the pass itself, to make its context smaller, leaves that of the pass to be counted.
  const spent = events.findLast(({ type }, k) => k > at && type === 'spent');
  const since = spent === undefined ? Date.parse(taken.at) : Date.parse(spent.at) + 1;
  const path = streamSince(evidenceFolder(open), since);
  if (path === null) return;
  const reader = readStream(run.host, () => undefined);
  try {
    // In pieces: a night's stream may be a gigabyte.
    for await (const chunk of createReadStream(path)) if (Buffer.isBuffer(chunk)) reader.push(chunk);
  } catch {
    // What was read of it counts.
  }
  reader.end();
  countSpent(open, reader.record(), run, world);
}

/** The newest one, unless nothing came of it since. Without one nothing is known. */
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
