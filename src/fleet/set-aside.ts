/** Sets a loop aside for a person, with the reason in its journal, so that no worker takes it any more. */
import type { Event } from '#law/record/events.ts';
import { interruptLoop } from '#engine/steer/control.ts';
import type { Database } from './database/database.ts';
import type { LoopRecord, LeasedRow } from './lease.ts';
import { followDeltas, loadLoop, memoryRuntime } from './memory.ts';
import { summaryOf } from './record.ts';
import { releaseLoop, holdParameters } from './ship.ts';

/** What was written; `lost`: the loop is another's. */
export async function setAside(
  database: Database,
  loop: LeasedRow,
  { events, files }: LoopRecord,
  why: string,
): Promise<readonly Event[] | 'lost'> {
  // It has no record yet: its row says so alone.
  if (loop.events === 0) {
    await database.query('select dacapo.set_aside_unread($1, $2, $3, $4)', [...holdParameters(loop), why]);
    return [];
  }
  const runtime = memoryRuntime();
  const open = loadLoop(events, files, runtime);
  const known = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const growth = followDeltas(open, { upTo: open.journal.end(), files: known });
  // What a lost pass has used is counted by whoever lets the loop go on.
  interruptLoop(open, 'fault', why, runtime);
  const { confirm: _, ...grown } = growth();
  const shipment = { ...grown, from: loop.events, summary: summaryOf(open, runtime), applied: 0 };
  return (await releaseLoop(database, loop, shipment, { until: null })) ? shipment.events : 'lost';
}
