/** What people see of a fleet: its loops, as `dacapo status --json` shows a loop, and its workers. */
import type { StatusWord } from '#law/loop.ts';
import { refuse, type Granted } from '#base/refusal.ts';
import { flag, instant, isId, list, orNull, record, text, whole } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { nearest } from '#base/words/did-you-mean.ts';
import { requestsOf, type OpenRequest } from '#engine/requests/answer.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { statusOf, type LoopStatus } from '#telling/loop-status.ts';
import {
  fitEach,
  fitRow,
  MAX_JOURNAL_BYTES,
  MAX_SUMMARY_BYTES,
  readJournal,
  type EventRow,
  type JournalRows,
  type UnfitRecord,
} from './codec/rows.ts';
import { loopSummaryRow, type LoopSummaryRow } from './codec/summary.ts';
import type { Sql } from './database/database.ts';
import type { AccountNow } from './limits.ts';
import { readPages } from './read-pages.ts';
import { readLeaseSeconds } from './schema/lease.ts';
import { readSchemaVersion } from './schema/version.ts';

export interface FleetLoop extends LoopStatus {
  /** Its name, or the beginning of its prompt. */
  readonly task: string;
  readonly account: string;
  readonly needs: readonly string[];
  readonly repo: string;
  readonly worker: string | null;
  readonly branch: string | null;
  /** The commit that was last published, with the work of the last counted iteration. */
  readonly point: string | null;
  readonly waits: Waits | null;
  readonly requests: readonly OpenRequest[];
}

export interface Waits {
  readonly for: 'worker' | 'limit' | 'retry' | 'pause' | 'approval' | 'rate' | 'cost' | 'loops';
  readonly until: string | null;
}

export type RowSummary = ReturnType<typeof summaryOf>;

/** What the row of a loop shows of its record: whoever writes events writes this with them. */
export function summaryOf(open: OpenLoop, runtime: Runtime) {
  const loop = open.look();
  // No session is awaited: the next worker goes on.
  const told = statusOf({ ...loop, session: { ...loop.session, awaited: false } }, runtime.now());
  return { status: told.status, report: told, requests: requestsOf([loop], runtime) };
}

/** In characters: as much as a list shows, and as much of a prompt as that may take. */
const MAX_TASK_CHARS_SHOWN = 200;
const MAX_TASK_CHARS_READ = 800;

export interface LoopsRead {
  readonly loops: readonly FleetLoop[];
  /** Loops whose rows do not fit, each with a word about it. */
  readonly unfit: readonly UnfitRecord[];
}

/** A reader of the fleet may not: to them a loop has its name at most. */
const MAY_SEE_PROMPTS = "select has_column_privilege('dacapo.loop', 'request', 'select') as see";

const LIVE_WORDS = ['pending', 'running', 'waiting'] as const;
const LIVE_SQL = LIVE_WORDS.map((status) => `'${status}'`).join();
export const LIVE_STATUSES: ReadonlySet<StatusWord> = new Set(LIVE_WORDS);

/** What the rows of loops may have that are shown with this status. */
export function rowStatusesOf(shown: StatusWord): readonly StatusWord[] {
  return LIVE_STATUSES.has(shown) ? [...LIVE_STATUSES, 'interrupted', 'stuck'] : [shown];
}

/** Which loops. Without `ids`, the newest ones up to `limit`. */
export interface LoopsWanted {
  readonly ids?: readonly string[];
  /** As the rows have them: a loop that waits has that of its last event. */
  readonly statuses?: readonly StatusWord[];
  /** Only those that go on, or wait for a person. */
  readonly isOpen?: boolean;
  readonly limit?: number;
}

/** More than anybody reads at once. */
const MAX_LOOPS_LISTED = 500;

/** The newest first. */
export async function readLoops(sql: Sql, wanted: LoopsWanted = {}): Promise<LoopsRead> {
  const [may] = await sql.query<{ see: boolean }>(MAY_SEE_PROMPTS);
  const { ids = null, statuses = null, isOpen = false, limit = MAX_LOOPS_LISTED } = wanted;
  const rows = await sql.query<object>(
    `select id, account, needs, repo, worker, branch, point, status, waits_for, left(trouble, 2000) as trouble,
       ${may?.see === true ? `left(request->'request'->>'prompt', ${MAX_TASK_CHARS_READ})` : 'null'} as task,
       case when octet_length(report::text) <= $2 then report end as report,
       case when octet_length(requests::text) <= $2 then requests end as requests, ready_at,
       coalesce(ready_at <= now(), false) as is_due,
       worker is not null and coalesce(lease_until > now(), false) as at_work
     from dacapo.loop left join dacapo.hold on loop = id
     where ($1::text[] is null or id = any($1)) and ($3::text[] is null or status = any($3))
       and (not $4 or ready_at is not null or status in ('interrupted', ${LIVE_SQL}))
     order by submitted_at desc, id limit $5`,
    [ids, MAX_SUMMARY_BYTES, statuses, isOpen, ids === null ? limit : ids.length],
  );
  const { fitting, unfit } = fitEach(rows, (row) => fitRow(loopSummaryRow, row, 'its row'));
  const accounts = await readAccounts(sql, fitting.filter(isDue));
  return { loops: fitting.map((row) => shown(row, accounts.get(row.account))), unfit };
}

/** To count what an account has used reads its passes of a day: only of those that loops wait for. */
async function readAccounts(
  sql: Sql,
  loops: readonly LoopSummaryRow[],
): Promise<ReadonlyMap<string, AccountNow>> {
  if (loops.length === 0) return new Map();
  const ids = [...new Set(loops.map(({ account }) => account))];
  const accounts = await sql.query<AccountNow>('select * from dacapo.account_room where id = any($1)', [ids]);
  return new Map(accounts.map((account) => [account.id, account]));
}

/** Whoever has room for it may take it now. */
function isDue({ ready_at, is_due, at_work }: LoopSummaryRow): boolean {
  return ready_at !== null && is_due && !at_work;
}

/** One loop; undefined: it is gone. Throws `UnfitRecord`. */
export async function readFleetLoop(sql: Sql, id: string): Promise<FleetLoop | undefined> {
  const { loops, unfit } = await readLoops(sql, { ids: [id] });
  if (unfit[0] !== undefined) throw unfit[0];
  return loops[0];
}

function shown(row: LoopSummaryRow, account: AccountNow | undefined): FleetLoop {
  const { id, account: name, needs, repo, branch, point, requests, report, at_work } = row;
  const waits = at_work ? null : waitsOf(row, account);
  const worker = at_work ? row.worker : null;
  const now = { status: rowStatus(row, waits), reason: reasonOf(row, waits), worker, waits };
  const task = oneLine(report.name ?? row.task ?? '', MAX_TASK_CHARS_SHOWN);
  return { ...report, id, task, ...now, account: name, needs, repo, branch, point, requests };
}

/** Until its first worker has made the loop, the report is that of a loop which nobody has. */
function reasonOf({ report, at_work, worker, trouble }: LoopSummaryRow, waits: Waits | null): string {
  if (waits !== null) return sayWaits(waits, trouble);
  return at_work && report.status === 'pending' ? `is being prepared by ${worker}` : report.reason;
}

function rowStatus({ status, at_work }: LoopSummaryRow, waits: Waits | null): StatusWord {
  if (waits !== null) return status === 'pending' ? 'pending' : 'waiting';
  return at_work && LIVE_STATUSES.has(status) ? 'running' : status;
}

/** Null: nobody may take the loop, because it has ended, or a person paused it or has to look at it. */
function waitsOf(row: LoopSummaryRow, account: AccountNow | undefined): Waits | null {
  const { ready_at, is_due, waits_for } = row;
  if (ready_at === null) return null;
  // By then, what stands in the way of a stuck loop may be gone, and a check that said "not yet" may pass.
  const isRetry = waits_for === null || waits_for === 'circuit' || waits_for === 'check';
  if (!is_due) return { for: isRetry ? 'retry' : waits_for, until: ready_at };
  return { for: account?.short_of ?? 'worker', until: account?.room_at ?? null };
}

const WAITS: Readonly<Record<Waits['for'], string>> = {
  worker: 'waiting for a worker',
  limit: 'waiting for the usage limit of the host to end',
  retry: 'waiting for another try',
  pause: 'waiting for its next iteration',
  approval: 'waiting for the answer of a person',
  rate: 'waiting: the account has reached its hourly limit of iterations',
  cost: 'waiting: the account has reached its daily budget',
  loops: 'waiting: the account has reached its limit of loops',
};

function sayWaits({ for: what, until }: Waits, trouble: string | null): string {
  const words = until === null ? WAITS[what] : `${WAITS[what]}, until ${until}`;
  return trouble === null ? words : `${words}; ${trouble}`;
}

/** By its id, the end of its id, or its name. Each is found by an index. */
export async function findLoop(sql: Sql, wanted: string): Promise<Granted<{ id: string }>> {
  const found = await sql.query<{ id: string }>(
    `select id from dacapo.loop where id = $1
     union select id from dacapo.loop where name = $1
     union select id from dacapo.loop
       where $1 <> '' and reverse(id) ~>=~ reverse($1) and reverse(id) ~<~ (reverse($1) || '~')
     limit 20`,
    [wanted],
  );
  const exact = found.find(({ id }) => id === wanted);
  if (exact !== undefined && isId(exact.id)) return { ok: true, id: exact.id };
  const [first, ...others] = found.map(({ id }) => id).filter(isId);
  if (first !== undefined && others.length === 0) return { ok: true, id: first };
  if (first !== undefined)
    return refuse(
      'several-loops',
      `These could be meant: ${[first, ...others].join(', ')}.`,
      'Name one by its id.',
    );
  const newest = 'select array(select id from dacapo.loop order by submitted_at desc limit 1000) as ids';
  const [all] = await sql.query<{ ids: string[] }>(newest);
  const meant = nearest(wanted, (all?.ids ?? []).filter(isId));
  const next = `dacapo fleet list shows every loop.${meant === null ? '' : ` Is it ${meant}?`}`;
  return refuse('no-loop', `The fleet has no loop ${JSON.stringify(oneLine(wanted, 80))}.`, next);
}

/** The events after the first `after`. Throws `UnfitRecord`. */
export async function readRecord(sql: Sql, id: string, after = 0): Promise<JournalRows> {
  const rows = await readPages(sql, {
    rows: 'select n as key, null as note, body as value from dacapo.event where loop = $1 and n > $2',
    values: [id, after],
    size: 'octet_length(value::text)',
    maxBytes: MAX_JOURNAL_BYTES,
  });
  const events = rows.map(({ key, value }): EventRow => ({ n: Number(key), body: value }));
  return readJournal(id, events, after);
}

export type FleetStatus = Awaited<ReturnType<typeof readFleet>>;

/** `hosts`: null if an older worker does not say. */
const workerRow = record({
  name: isId,
  labels: list(text),
  hosts: orNull(list(text)),
  capacity: whole,
  draining: flag,
  seen_at: instant,
});

/** How many loops there are of each status, as they are shown. */
async function countLoops(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.query<{ status: string; loops: number }>(
    `select case
         when worker is not null and lease_until > now() and status in (${LIVE_SQL}) then 'running'
         when ready_at is null or worker is not null and lease_until > now() then status
         when status = 'pending' then status
         else 'waiting' end as status, count(*)::int as loops
     from dacapo.loop left join dacapo.hold on loop = id group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ status, loops }) => [status, loops]));
}

/** A worker that was not heard of for a lease is gone. */
export async function readFleet(sql: Sql) {
  const { unfit } = await readLoops(sql, { isOpen: true });
  const lease_seconds = await readLeaseSeconds(sql);
  const workers = await sql.query<object>(
    `select name, labels, hosts, capacity, draining, seen_at from dacapo.worker
     where seen_at > now() - make_interval(secs => $1) order by name`,
    [lease_seconds],
  );
  const atWork = await sql.query<{ id: string; worker: string }>(
    `select id, worker from dacapo.loop join dacapo.hold on loop = id
     where worker is not null and lease_until > now() order by submitted_at desc, id`,
  );
  return {
    schema: (await readSchemaVersion(sql))?.version ?? 0,
    lease_seconds,
    loops: await countLoops(sql),
    workers: workers.filter(workerRow).map((one) => ({
      ...one,
      loops: atWork.flatMap(({ id, worker }) => (worker === one.name ? [id] : [])),
    })),
    /** Loops that can't be shown, as sentences. */
    unfit: unfit.map(({ message }) => message),
  };
}
