/** `dacapo fleet wait` and `ready`: what workflow engines and autoscalers ask. */
import type { Granted } from '#base/refusal.ts';
import type { Database } from '#fleet/database/database.ts';
import { askAtStart, waitForLoop } from '#fleet/look/wait.ts';
import { readReady, type ReadyLoopCount } from '#fleet/look/ready.ts';
import { findLoop, type FleetLoop } from '#fleet/record.ts';
import { refuseSchema } from '#fleet/schema/version.ts';
import {
  exitCodeOfStatus,
  EXIT,
  fail,
  failFor,
  printNote,
  reply,
  headedTable,
} from '../terminal/terminal.ts';
import { withDatabase, withFleet, type FleetLoopOptions, type FleetOptions } from './fleet.ts';

export async function runWait({ id: wanted, ...options }: FleetLoopOptions): Promise<number> {
  const names = wanted.split(',').filter(Boolean);
  return withDatabase(options, async (database, address) => {
    const onAway = (why: string) => printNote(`Da Capo: waiting for the database. ${why}`);
    // A step of a workflow may begin while the database restarts.
    const found = await askAtStart(address, onAway, () => findLoops(database, names));
    if (!found.ok) return failFor(found);
    const { ids } = found;
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    const waiter = {
      onChange: (loop: FleetLoop) => printNote(`Da Capo: ${sayProgress(loop)}`),
      onAway,
      stop: stop.signal,
    };
    const loops = await Promise.all(ids.map((id) => waitForLoop(database, address, id, waiter)));
    if (stop.signal.aborted)
      return fail('stopped waiting; the loops continue.', 'run the same command again.');
    const gone = loops.indexOf(null);
    if (gone !== -1) return fail(`loop ${ids[gone]} was removed.`, 'dacapo fleet list shows every loop.');
    const ended = loops.filter((loop) => loop !== null);
    reply(options.json, names.length === 1 ? ended[0] : ended, ...ended.map(sayProgress));
    return ended.map(({ status }) => exitCodeOfStatus(status)).find((code) => code !== EXIT.ok) ?? EXIT.ok;
  });
}

async function findLoops(
  database: Database,
  names: readonly string[],
): Promise<Granted<{ readonly ids: readonly string[] }>> {
  const refusal = await refuseSchema(database);
  if (refusal !== null) return refusal;
  const ids: string[] = [];
  for (const name of names) {
    const found = await findLoop(database, name);
    if (!found.ok) return found;
    ids.push(found.id);
  }
  return { ok: true, ids };
}

function sayProgress({ id, status, iteration, worker, reason }: FleetLoop): string {
  const where = worker === null ? '' : ` on ${worker}`;
  return `loop ${id}: ${status}${where}, iteration ${iteration}: ${reason}`;
}

export function runFleetReady(options: FleetOptions): Promise<number> {
  return withFleet(options, async (database) => {
    const rows = await readReady(database);
    const lines =
      rows.length === 0
        ? ['No loop waits for a worker.']
        : headedTable(['ACCOUNT', 'LABELS', 'HOSTS', 'READY', 'SINCE', 'NEXT'], rows.map(readyRow));
    return reply(options.json, rows, ...lines);
  });
}

function readyRow({ account, needs, hosts, ready, since, next_at }: ReadyLoopCount): string[] {
  return [account, needs.join() || '–', hosts.join() || '–', String(ready), since ?? '–', next_at ?? '–'];
}
