/** What is wrong with a fleet. */
import { ok, problem, warning, type Finding } from '../hosts/headless.ts';
import type { Sql } from './database.ts';
import { readFleet, readLoops, type FleetLoop } from './record.ts';

/** A worker that does not say which journals it can read. */
const ANY = 1_000_000;

export async function findingsOf(sql: Sql): Promise<Finding[]> {
  const { schema, workers, lease_seconds } = await readFleet(sql);
  const loops = await readLoops(sql);
  const ready = loops.filter(({ waits }) => waits?.for === 'worker');
  const lonely = ready.filter(({ needs }) =>
    workers.every(({ labels }) => !needs.every((need) => labels.includes(need))),
  );
  // Nothing writes such a row. If one is there, somebody should know.
  const isLive = ({ status }: FleetLoop) => ['pending', 'running', 'waiting'].includes(status);
  const forgotten = loops.filter((loop) => isLive(loop) && loop.worker === null && loop.waits === null);
  const troubled = loops.filter(({ waits, reason }) => waits?.for === 'retry' && reason.includes('; '));
  const tooNew = await sql.query<{ id: string }>(
    `select id from dacapo.loop where ready_at <= now() and (worker is null or lease_until <= now())
       and journal > (select max(coalesce(journal, ${ANY})) from dacapo.worker
                      where seen_at > now() - make_interval(secs => $1))`,
    [lease_seconds],
  );
  const count = `${workers.length} ${workers.length === 1 ? 'worker is' : 'workers are'} there.`;
  return [
    ok('fleet', `The tables have version ${schema}, the lease is ${lease_seconds}s.`),
    workers.length === 0
      ? warning('workers', 'No worker is there.', 'dacapo worker starts one.')
      : ok('workers', count),
    ...(workers.length === 0 ? [] : lonely).map(({ id, needs }) => {
      const what = `No worker has what loop ${id} needs: ${needs.join(', ')}.`;
      return problem('needs', what, `dacapo worker --labels ${needs.join(',')} starts one.`);
    }),
    ...tooNew.map(({ id }) => {
      const what = `Only workers of a newer dacapo could take loop ${id}: such a one has begun it.`;
      return problem('newer', what, 'Upgrade dacapo on the workers, and restart them.');
    }),
    ...forgotten.map(({ id }) => {
      const what = `Loop ${id} is alive, and nobody would ever take it.`;
      return problem('forgotten', what, `dacapo fleet resume ${id} makes it ready.`);
    }),
    ...troubled.map(({ id, reason }) => {
      const next = `dacapo fleet resume ${id} tries again at once; dacapo fleet cancel ${id} ends it.`;
      return warning('trouble', `Loop ${id} ${reason}`, next);
    }),
  ];
}
