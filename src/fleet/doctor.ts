/** What is wrong with a fleet. */
import { ok, problem, warning, type Finding } from '../hosts/headless.ts';
import type { Sql } from './database.ts';
import { readFleet, readLoops } from './record.ts';

export async function findingsOf(sql: Sql): Promise<Finding[]> {
  const { schema, workers, lease_seconds } = await readFleet(sql);
  const loops = await readLoops(sql);
  const ready = loops.filter(({ waits }) => waits?.for === 'worker');
  const lonely = ready.filter(({ needs }) =>
    workers.every(({ labels }) => !needs.every((need) => labels.includes(need))),
  );
  // Nothing writes such a row. If one is there, somebody should know.
  const forgotten = loops.filter(
    ({ status, worker, waits }) =>
      ['pending', 'running', 'waiting'].includes(status) && worker === null && waits === null,
  );
  const troubled = loops.filter(({ waits, reason }) => waits?.for === 'retry' && reason.includes('; '));
  return [
    ok('fleet', `The tables have version ${schema}, the lease is ${lease_seconds}s.`),
    workers.length === 0
      ? warning('workers', 'No worker is there.', 'dacapo worker starts one.')
      : ok('workers', `${workers.length} ${workers.length === 1 ? 'worker is' : 'workers are'} there.`),
    ...(workers.length === 0 ? [] : lonely).map(({ id, needs }) =>
      problem(
        'needs',
        `No worker has what loop ${id} needs: ${needs.join(', ')}.`,
        `dacapo worker --labels ${needs.join(',')} starts one.`,
      ),
    ),
    ...forgotten.map(({ id }) =>
      problem(
        'forgotten',
        `Loop ${id} is alive, and nobody would ever take it.`,
        `dacapo fleet resume ${id} makes it ready.`,
      ),
    ),
    ...troubled.map(({ id, reason }) =>
      warning(
        'trouble',
        `Loop ${id} ${reason}`,
        `dacapo fleet resume ${id} tries again at once; dacapo fleet cancel ${id} ends it.`,
      ),
    ),
  ];
}
