/** How a worker comes to a loop: it takes one, brings its record, and renews its lease. */
import { JOURNAL_VERSION, type Used } from '../core/record/events.ts';
import type { Act } from '../operations/steer/hand.ts';
import type { LoopFile } from '../store/manifest.ts';
import { act } from './codec/acts.ts';
import { fit, loopRow, MOST_FILES_BYTES, readFileRow, type FileRow } from './codec/rows.ts';
import type { Database, Sql } from './database.ts';
import { lockAccount } from './limits.ts';
import { readRecord } from './record.ts';
import type { Submission } from './submit.ts';
import { stopUnread } from './unread.ts';

export interface TakenLoop extends Omit<Submission, 'needs' | 'priority' | 'commits'> {
  readonly id: string;
  readonly epoch: number;
  /** How many events the record has. None: the loop has not begun. */
  readonly events: number;
  /** The commit that the loop began with; null: none yet. */
  readonly base: string | null;
  /** The commit of its branch. */
  readonly head: string | null;
  /** The last published point, and its ref. */
  readonly point: string | null;
  readonly point_ref: string | null;
  /** What it was parked for. */
  readonly waits_for: string | null;
}

export interface Taker {
  readonly name: string;
  readonly labels: readonly string[];
  /** The names of those whose agents can work here. */
  readonly hosts: readonly string[];
  /** Patterns of repositories; empty: any. */
  readonly accept: readonly string[];
  readonly leaseSeconds: number;
}

/**
 * The next loop for this worker; null: none. Accounts with fewer loops at work come first, so that free places are shared
 * evenly. Within an account, begun loops come before new ones: else a loop whose worker died would queue behind them all.
 * A loop that a newer program has begun is left to such programs.
 */
export async function take(database: Database, taker: Taker): Promise<TakenLoop | null> {
  for (;;) {
    const taken = await takeOne(database, taker);
    if (taken !== 'unfit') return taken;
  }
}

/** `unfit`: one was there that can't be read, and nobody takes it any more. */
function takeOne(database: Database, taker: Taker): Promise<TakenLoop | 'unfit' | null> {
  const { name, labels, hosts, accept, leaseSeconds } = taker;
  return database.transaction(async (sql) => {
    const [found] = await sql.query<{ id: string; account: string }>(
      `with n as materialized (select * from dacapo.account_room)
       select l.id, l.account from dacapo.loop l join n on n.id = l.account
       where l.ready_at <= now() and (l.worker is null or l.lease_until <= now())
         and l.needs <@ $1::text[] and ($2::text[] = '{}' or l.repo ~ any($2)) and n.short_of is null
         and l.journal <= $3 and ${HOSTS} <@ $4::text[]
       order by n.loops, l.priority desc, l.status = 'pending', l.ready_at
       limit 1 for update of l skip locked`,
      [labels, accept.map(patternOf), JOURNAL_VERSION, hosts],
    );
    if (found === undefined) return null;
    // Another worker may have used up the account since the snapshot of the query above.
    if ((await lockAccount(sql, found.account)).short_of !== null) return null;
    const [taken] = await sql.query<object>(
      `update dacapo.loop set epoch = epoch + 1, worker = $2, lease_until = now() + make_interval(secs => $3),
         status = case status when 'pending' then 'running' else status end, updated_at = now()
       where id = $1 returning *`,
      [found.id, name, leaseSeconds],
    );
    if (taken === undefined || loopRow(taken)) return taken ?? null;
    // It costs this loop, and none of those behind it.
    await stopUnread(sql, found.id, 'interrupted', "interrupted: its row can't be read");
    return 'unfit';
  });
}

/** The hosts that a loop needs: that of its agent, and that of its reviewer. An older `submit` did not write them down. */
export const HOSTS = `coalesce(l.hosts, array[l.request->>'host'])`;

/** `*` stands for anything. */
export function patternOf(glob: string): string {
  return `^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`;
}

/** A person's act that waits for the loop's worker. */
export interface Waiting {
  readonly k: number;
  readonly act: Act;
}

export type Brought = Awaited<ReturnType<typeof bring>>;

/** Throws `UnfitRecord`. */
export async function bring(sql: Sql, { id }: Pick<TakenLoop, 'id'>) {
  const [used] = await sql.query<Used>(
    `select sum(usd) as "costUsd", sum(tokens) as tokens from dacapo.pass
     where loop = $1 and ended is null having sum(usd) > 0 or sum(tokens) > 0`,
    [id],
  );
  return {
    events: (await readRecord(sql, id)).events,
    files: await readFiles(sql, id),
    inbox: await readInbox(sql, id),
    /** What a pass had used whose worker died. Nobody has counted it yet. */
    lost: used ?? null,
  };
}

/** Evidence is for readers: nobody needs it to go on. Throws `UnfitRecord`. */
export function readFiles(sql: Sql, id: string): Promise<LoopFile[]> {
  return readFilesLike(sql, id, '^(?!evidence/)', []);
}

/** Those whose names fit the pattern, but for some that are known. Throws `UnfitRecord`. */
export async function readFilesLike(sql: Sql, id: string, pattern: string, known: readonly string[]) {
  const files = await sql.query<FileRow>(
    `select name, sha256, case when sum(octet_length(content)) over () <= $4 then content end as content
     from dacapo.file where loop = $1 and name ~ $2 and not name = any($3)`,
    [id, pattern, known, MOST_FILES_BYTES],
  );
  return files.map((file) => readFileRow(id, file));
}

export async function readInbox(sql: Sql, id: string): Promise<Waiting[]> {
  const rows = await sql.query<Waiting>('select k, act from dacapo.inbox where loop = $1 order by k', [id]);
  for (const { act: asked } of rows) fit(act, asked, id, 'what a person asked of it');
  return rows;
}

/** What one loop of a worker has used in its pass so far. */
export interface Meter extends Used {
  readonly id: string;
  readonly epoch: number;
}

/** Renews the leases of loops that nobody else has taken since, also those that ran out, and says which. */
export async function heartbeat(sql: Sql, { name, leaseSeconds }: Taker, meters: readonly Meter[]) {
  const [row] = await sql.query<{ mine: string[]; draining: boolean | null }>(
    `with h as (select * from unnest($3::text[], $4::int[], $5::numeric[], $6::bigint[]) as h(id, epoch, usd, tokens)),
     mine as (
       update dacapo.loop l set lease_until = now() + make_interval(secs => $2) from h
       where l.id = h.id and l.epoch = h.epoch and l.worker = $1 returning l.id),
     metered as (
       update dacapo.pass p set usd = greatest(p.usd, h.usd), tokens = greatest(p.tokens, h.tokens) from h
       where p.loop = h.id and p.epoch = h.epoch and p.ended is null),
     seen as (update dacapo.worker set seen_at = now() where name = $1 returning draining)
     select array(select id from mine) as mine, (select draining from seen) as draining`,
    [
      name,
      leaseSeconds,
      ...(['id', 'epoch', 'costUsd', 'tokens'] as const).map((field) => meters.map((meter) => meter[field])),
    ],
  );
  return { mine: new Set(row?.mine), draining: row?.draining === true };
}
