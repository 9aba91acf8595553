/**
 * Summaries of all loops, kept in the home from one call to the next. A loop is opened again only if its record has grown
 * since, so that a home with a thousand loops is not read to show one. Absent, damaged or of another version, the file is
 * made again.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOP_VERSION } from '../../core/record/versions.ts';
import { flag, list, readAs, record, text } from '../../core/shape.ts';
import type { Stamp, Stored, Summaries, Summary } from '../store.ts';
import { summaryOf } from '../summary.ts';
import { replaceFile } from './atomic.ts';
import type { Home } from './home.ts';

const VERSION = `1.${LOOP_VERSION}`;
const summary = record({ id: text, stamp: text, projects: list(text), ended: flag, updatedAt: text });
const kept = record({ version: text, loops: list(summary) });

export function fileSummaries(
  home: Home,
  stamps: readonly Stamp[],
  open: (id: string) => Stored | null,
): Summaries {
  const file = join(home.dir, 'cache', 'loops.json');
  const cached = readAs(kept, () => readFileSync(file, 'utf8'));
  const before = new Map(cached?.version === VERSION ? cached.loops.map((one) => [one.id, one]) : []);
  const known: Summary[] = [];
  const others: Stored[] = [];
  for (const { id, stamp } of stamps) {
    const same = before.get(id);
    const stored = same?.stamp === stamp ? null : open(id);
    const read = stored === null ? same : summaryOf(stored, stamp);
    if (read) known.push(read);
    else if (stored !== null) others.push(stored);
  }
  if (known.length !== before.size || known.some((one) => before.get(one.id) !== one)) keep(file, known);
  return { known, others };
}

function keep(file: string, loops: readonly Summary[]): void {
  try {
    replaceFile(file, JSON.stringify({ version: VERSION, loops }), { durable: false });
  } catch {
    // A full disk, or a home that can only be read. The next call reads the loops again.
  }
}
