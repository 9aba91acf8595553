/** What is wrong with a fleet. */
import { ok, problem, warning, type Finding } from '../hosts/headless.ts';
import type { Sql } from './database.ts';
import { HOSTS, patternOf, type Taker } from './lease.ts';
import { readFleet, readLoops, type FleetLoop } from './record.ts';

export async function findingsOf(sql: Sql): Promise<Finding[]> {
  const { schema, workers, lease_seconds } = await readFleet(sql);
  const loops = await readLoops(sql);
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
    ...(await untakable(sql, lease_seconds)),
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

interface ReadyLoop {
  readonly id: string;
  readonly needs: readonly string[];
  readonly hosts: readonly string[];
  readonly repo: string;
  readonly journal: number;
}

/** An older worker does not say what is null, and does not look at it either. */
interface LiveWorker extends Pick<Taker, 'labels'> {
  readonly hosts: readonly string[] | null;
  readonly accept: readonly string[] | null;
  readonly journal: number | null;
}

const isIn = (all: readonly string[] | null, some: readonly string[]) =>
  all === null || some.every((one) => all.includes(one));

/** Loops that are ready, and that no worker would take. Without any worker there is nothing to say about single loops. */
async function untakable(sql: Sql, leaseSeconds: number): Promise<Finding[]> {
  const workers = await sql.query<LiveWorker>(
    `select labels, hosts, accept, journal from dacapo.worker
     where seen_at > now() - make_interval(secs => $1) and not draining`,
    [leaseSeconds],
  );
  const ready = await sql.query<ReadyLoop>(
    `select id, needs, ${HOSTS} as hosts, repo, journal from dacapo.loop l
     where ready_at <= now() and (worker is null or lease_until <= now())`,
  );
  return workers.length === 0 ? [] : ready.flatMap((loop) => obstacleOf(loop, workers) ?? []);
}

/** What no worker has of all that the loop needs; if each has a part of it, all of it. */
function obstacleOf(
  { id, needs, hosts, repo, journal }: ReadyLoop,
  workers: readonly LiveWorker[],
): Finding | null {
  const [labels, agents] = [needs.join(','), hosts.join(' and ')];
  const wishes: [(worker: LiveWorker) => boolean, Finding][] = [
    [
      (worker) => isIn(worker.labels, needs),
      problem(
        'needs',
        `No worker has what loop ${id} needs: ${needs.join(', ')}.`,
        `dacapo worker --labels ${labels} starts one.`,
      ),
    ],
    [
      (worker) => isIn(worker.hosts, hosts),
      problem(
        'host',
        `No worker has ${agents} for loop ${id}.`,
        `Install it on a machine, and start dacapo worker there.`,
      ),
    ],
    [
      ({ accept }) => !accept?.length || accept.some((glob) => new RegExp(patternOf(glob)).test(repo)),
      problem(
        'accept',
        `No worker accepts the repository of loop ${id}: ${repo}.`,
        'dacapo worker --accept GLOB, or without --accept, takes it.',
      ),
    ],
    [
      (worker) => journal <= (worker.journal ?? Infinity),
      problem(
        'newer',
        `Only workers of a newer dacapo could take loop ${id}: such a one has begun it.`,
        'Upgrade dacapo on the workers, and restart them.',
      ),
    ],
  ];
  if (workers.some((worker) => wishes.every(([fits]) => fits(worker)))) return null;
  const missing = wishes.find(([fits]) => !workers.some(fits));
  if (missing !== undefined) return missing[1];
  const all = [...needs, ...hosts, `the repository ${repo}`].join(', ');
  return problem(
    'needs',
    `No worker has all that loop ${id} needs: ${all}.`,
    'dacapo fleet status shows what each has.',
  );
}
