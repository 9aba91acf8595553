/** `dacapo fleet ready`: how many workers could be at work. */
import { readReady, type ReadyLoops } from '#fleet/look/ready.ts';
import { listing, reply } from '../terminal/terminal.ts';
import { withFleet, type FleetOptions } from './fleet.ts';

export function runReady(options: FleetOptions): Promise<number> {
  return withFleet(options, async (database) => {
    const rows = await readReady(database);
    const lines =
      rows.length === 0
        ? ['No loop waits for a worker.']
        : listing(['ACCOUNT', 'LABELS', 'HOSTS', 'READY', 'SINCE', 'NEXT'], rows.map(readyRow));
    return reply(options.json, rows, ...lines);
  });
}

function readyRow({ account, needs, hosts, ready, since, next_at }: ReadyLoops): string[] {
  return [account, needs.join() || '–', hosts.join() || '–', String(ready), since ?? '–', next_at ?? '–'];
}
