/** What is wrong with a fleet. */
import { ok, problem, warning, type Finding } from '../hosts/headless.ts';
import type { Sql } from './database.ts';
import { readFleet, readLoops, type FleetLoop } from './record.ts';

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
