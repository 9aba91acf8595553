/** Finds problems of a fleet: loops that no worker can take or that keep failing, and missing workers. */
import { isId } from '#base/shape.ts';
import { ok, problem, warning, type Finding } from '#hosts/port/headless.ts';
import type { Sql } from '../database/database.ts';
import { LIVE_STATUSES, readFleet, readLoops } from '../record.ts';

export async function findProblems(sql: Sql): Promise<Finding[]> {
  const { schema, workers, lease_seconds } = await readFleet(sql);
  const { loops, unfit } = await readLoops(sql, { isOpen: true });
  // Nothing writes such a row. If one is there, somebody should know.
  const forgotten = loops.filter(
    (loop) => LIVE_STATUSES.has(loop.status) && loop.worker === null && loop.waits === null,
  );
  const aside = await readSetAside(sql);
  const troubled = loops.filter(({ waits, reason }) => waits?.for === 'retry' && reason.includes('; '));
  const count = `${workers.length} ${workers.length === 1 ? 'worker is' : 'workers are'} there.`;
  return [
    ok('fleet', `The tables have version ${schema}, the lease is ${lease_seconds}s.`),
    workers.length === 0
      ? warning('workers', 'No workers are running.', 'dacapo worker starts one.')
      : ok('workers', count),
    ...(await untaken(sql, lease_seconds)),
    ...unfit.map(({ refusal: { message, next } }) => problem('unfit', message, next)),
    ...forgotten.map(({ id }) => {
      const what = `Loop ${id} is live, but no worker would ever take it.`;
      return problem('forgotten', what, `dacapo fleet resume ${id} makes it ready.`);
    }),
    ...aside.map(({ id, reason }) => {
      const next =
        `Look at dacapo fleet logs ${id}; dacapo fleet resume ${id} tries again, ` +
        `dacapo fleet cancel ${id} ends it.`;
      return problem('set-aside', `Loop ${id} waits for a person: ${reason}`, next);
    }),
    ...troubled.map(({ id, reason }) => {
      const next = `dacapo fleet resume ${id} tries again at once; dacapo fleet cancel ${id} ends it.`;
      return warning('trouble', `Loop ${id} ${reason}`, next);
    }),
  ];
}

/** Loops that were taken again and again without a counted pass, until a worker stopped that. */
function readSetAside(sql: Sql): Promise<{ id: string; reason: string }[]> {
  return sql.query(
    `select id, left(report->>'reason', 2000) as reason from dacapo.loop
     where status = 'interrupted' and jsonb_array_length(takes) > 1 order by updated_at desc limit 100`,
  );
}

interface UntakenLoop {
  readonly id: string;
  readonly needs: string;
  readonly hosts: string;
  readonly repo: string;
  /** What no worker has; empty: each lacks another part. */
  readonly lacks: readonly (keyof typeof LACKS)[];
}

const START = 'dacapo worker starts another one; dacapo fleet status shows what each has.';

/**
 * What a loop asks of a worker, as `leaseNextLoop` does, and what to say where none has it. An older worker
 * does not say: null.
 */
const LACKS = {
  needs: [
    'l.needs <@ w.labels',
    ({ id, needs }: UntakenLoop) => `No worker has what loop ${id} needs: ${needs}.`,
  ],
  host: ['l.hosts <@ w.hosts', ({ id, hosts }: UntakenLoop) => `No worker has ${hosts} for loop ${id}.`],
  accept: [
    'dacapo.accepts(w.accept, l.repo, l.points)',
    ({ id, repo }: UntakenLoop) => `No worker accepts the repository of loop ${id}: ${repo}.`,
  ],
  newer: [
    'l.journal <= w.journal',
    ({ id }: UntakenLoop) =>
      `Only workers of a newer dacapo could take loop ${id}: a newer one has begun it.`,
  ],
} as const;

/**
 * Loops that are ready, and that no worker would take. Without any worker there is nothing to say about
 * single loops.
 */
async function untaken(sql: Sql, leaseSeconds: number): Promise<Finding[]> {
  const wishes = Object.entries(LACKS).map(([id, [fits]]) => [id, `coalesce(${fits}, true)`] as const);
  const lacks = wishes.map(([id, fits]) => `case when not bool_or(${fits}) then '${id}' end`);
  const loops = await sql.query<UntakenLoop>(
    `select l.id, array_to_string(l.needs, ', ') as needs, array_to_string(l.hosts, ' and ') as hosts, l.repo,
       array_remove(array[${lacks.join()}], null) as lacks
     from dacapo.loop l left join dacapo.hold h on h.loop = l.id cross join dacapo.worker w
     where l.ready_at <= now() and (l.worker is null or h.lease_until <= now())
       and not w.draining and w.seen_at > now() - make_interval(secs => $1)
     group by l.id having not bool_or(${wishes.map(([, fits]) => fits).join(' and ')})`,
    [leaseSeconds],
  );
  return loops
    .filter(({ id }) => isId(id))
    .map((loop) => {
      const { id, needs, hosts, repo } = loop;
      const [lack] = loop.lacks;
      const all = `No worker has all that loop ${id} needs: ${needs}, ${hosts}, the repository ${repo}.`;
      const next = lack === 'newer' ? 'Upgrade dacapo on the workers, and restart them.' : START;
      return problem(lack ?? 'needs', lack === undefined ? all : LACKS[lack][1](loop), next);
    });
}
