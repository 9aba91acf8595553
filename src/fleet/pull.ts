/** Brings a loop of the fleet home as a copy: every command that looks at a loop works on it, and none that changes it. */
import { FLEET_COPY } from '../operations/look/find.ts';
import { sha256 } from '../files/sha256.ts';
import type { Home } from '../store/file/home.ts';
import { writeCopy } from '../store/file/loops.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import type { Sql } from './database.ts';
import { readFiles } from './lease.ts';
import { readEvents } from './record.ts';

/** The folder. */
export async function pull(
  sql: Sql,
  id: string,
  home: Home,
  from: string,
): Promise<{ readonly ok: true; readonly folder: string } | Refusal> {
  const events = await readEvents(sql, id);
  if (events.length === 0)
    return refuse('not-begun', `No worker has begun loop ${id} yet.`, `dacapo fleet status ${id} says why.`);
  const content = `${JSON.stringify({ fleet: from })}\n`;
  const parts = [...(await readFiles(sql, id, true)), { name: FLEET_COPY, sha256: sha256(content), content }];
  return { ok: true, folder: writeCopy(home, id, events, parts) };
}
