/**
 * A worker and the record: it takes a loop, ships what it wrote, lets the loop go. The epoch that it got with the loop is
 * the fence: after a cancel, a pause or another worker's take, nothing that it ships is accepted. Each call may be made
 * again if its answer was lost.
 */
import type { Event } from '../core/record/events.ts';
import type { Used } from '../core/record/events.ts';
import type { Part } from '../store/manifest.ts';
import { say, type Database, type Sql } from './database.ts';
import { admit, HAS_ROOM, lockAccount, shortageOf } from './limits.ts';
import type { Grown, LoopRequest } from './memory.ts';
import type { Summary } from './summary.ts';

export interface Taken {
  readonly id: string;
  readonly epoch: number;
  readonly account: string;
  readonly repo: string;
  readonly ref: string;
  readonly setup: string | null;
  /** Where points go, if not to the repository. */
  readonly points: string | null;
  readonly branch: string | null;
  readonly request: LoopRequest;
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
  /** Tries in a row that came to nothing. */
  readonly tries: number;
}

export interface Taker {
  readonly name: string;
  readonly labels: readonly string[];
  /** Patterns of repositories; empty: any. */
  readonly accept: readonly string[];
  readonly leaseSeconds: number;
}

/**
 * The next loop for this worker; null: none. Accounts with fewer loops at work come first, so that free places are shared
 * evenly. Within an account, begun loops come before new ones: else a loop whose worker died would queue behind them all.
 */
export function take(
  database: Database,
  { name, labels, accept, leaseSeconds }: Taker,
): Promise<Taken | null> {
  return database.transaction(async (sql) => {
    const [found] = await sql.query<{ id: string; account: string }>(
      `with n as materialized (select * from dacapo.account_now)
       select l.id, l.account from dacapo.loop l join n on n.id = l.account
       where l.ready_at <= now() and (l.worker is null or l.lease_until <= now())
         and l.needs <@ $1::text[] and ($2::text[] = '{}' or l.repo ~ any($2)) and ${HAS_ROOM}
       order by n.loops, l.priority desc, l.status = 'pending', l.ready_at, l.id
       limit 1 for update of l skip locked`,
      [labels, accept.map(patternOf)],
    );
    if (found === undefined) return null;
    // Another worker may have used up the account since the snapshot of the query above.
    if (shortageOf(await lockAccount(sql, found.account)) !== null) return null;
    const [taken] = await sql.query<Taken>(
      `update dacapo.loop set epoch = epoch + 1, worker = $2, lease_until = now() + make_interval(secs => $3),
         status = case status when 'pending' then 'running' else status end, updated_at = now()
       where id = $1 returning *`,
      [found.id, name, leaseSeconds],
    );
    return taken ?? null;
  });
}

/** `*` stands for anything. */
function patternOf(glob: string): string {
  return `^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`;
}

/** A person's act that waits for the loop's worker. */
export interface Waiting {
  readonly k: number;
  readonly act: unknown;
}

export interface Brought {
  readonly events: readonly Event[];
  readonly files: readonly Part[];
  readonly inbox: readonly Waiting[];
  /** What a pass had used whose worker died. Nobody has counted it yet. */
  readonly lost: Used | null;
}

export async function bring(sql: Sql, { id }: Taken): Promise<Brought> {
  const events = await sql.query<{ body: Event }>(
    'select body from dacapo.event where loop = $1 order by n',
    [id],
  );
  const lost = await sql.query<{ usd: number; tokens: number }>(
    'select usd, tokens from dacapo.pass where loop = $1 and ended is null',
    [id],
  );
  const used = {
    costUsd: lost.reduce((sum, { usd }) => sum + usd, 0),
    tokens: lost.reduce((sum, { tokens }) => sum + tokens, 0),
  };
  return {
    events: events.map(({ body }) => body),
    files: await readFiles(sql, id),
    inbox: await readInbox(sql, id),
    lost: used.costUsd > 0 || used.tokens > 0 ? used : null,
  };
}

export async function readFiles(sql: Sql, id: string): Promise<Part[]> {
  const files = await sql.query<{ name: string; sha256: string; content: Buffer }>(
    'select name, sha256, content from dacapo.file where loop = $1',
    [id],
  );
  return files.map(({ content, ...file }) => ({ ...file, content: content.toString('utf8') }));
}

function readInbox(sql: Sql, id: string): Promise<Waiting[]> {
  return sql.query<Waiting>('select k, act from dacapo.inbox where loop = $1 order by k', [id]);
}

/** What one loop of a worker has used in its pass so far. */
export interface Meter extends Used {
  readonly id: string;
  readonly epoch: number;
}

/** Renews the leases that are still this worker's own, and says which. One that ran out is not renewed. */
export async function heartbeat(
  sql: Sql,
  { name, leaseSeconds }: Taker,
  meters: readonly Meter[],
): Promise<{ readonly mine: ReadonlySet<string>; readonly draining: boolean }> {
  const [row] = await sql.query<{ mine: string[]; draining: boolean | null }>(
    `with h as (select * from unnest($3::text[], $4::int[], $5::numeric[], $6::bigint[]) as h(id, epoch, usd, tokens)),
     mine as (
       update dacapo.loop l set lease_until = now() + make_interval(secs => $2) from h
       where l.id = h.id and l.epoch = h.epoch and l.worker = $1 and l.lease_until > now() returning l.id),
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

/** What a loop wrote since the last shipment, and how it stands now. */
export interface Shipment extends Grown {
  /** How many events were shipped before. */
  readonly from: number;
  readonly summary: Summary;
  /** The last of the person's acts that these events come from; 0: none. */
  readonly applied: number;
}

export interface Published {
  readonly base: string | null;
  readonly head: string | null;
  readonly point: string | null;
  readonly point_ref: string | null;
}

export type Shipped =
  | { readonly is: 'ours'; readonly inbox: readonly Waiting[]; readonly mostUsd: number | null }
  /** The loop is another's, or nobody's. */
  | { readonly is: 'lost' }
  /** The account has no room for this pass. Nothing was shipped. */
  | { readonly is: 'refused' };

/** A pass begins: it is in the record, and paid for, before its host starts. */
export function shipTaken(
  database: Database,
  hold: Hold,
  shipment: Shipment,
  base: string | null,
): Promise<Shipped> {
  return database.transaction(async (sql) => {
    const row = await lockOwn(sql, hold);
    if (row === null) return { is: 'lost' };
    const n = shipment.from + shipment.events.length;
    if (row.events !== n) {
      const admitted = admit(await lockAccount(sql, row.account));
      if (admitted === null) return { is: 'refused' };
      await append(sql, hold, shipment);
      await sql.query('update dacapo.loop set base = coalesce(base, $2) where id = $1', [hold.id, base]);
      // Its own child has counted what the pass of a dead worker had used.
      await sql.query('update dacapo.pass set ended = now() where loop = $1 and ended is null', [hold.id]);
      await sql.query(
        `insert into dacapo.pass (loop, n, epoch, account, worker, set_aside) values ($1, $2, $3, $4, $5, $6)`,
        [hold.id, n, hold.epoch, row.account, hold.worker, admitted.mostUsd],
      );
    }
    const [pass] = await sql.query<{ set_aside: number | null }>(
      'select set_aside from dacapo.pass where loop = $1 and n = $2',
      [hold.id, n],
    );
    return { is: 'ours', inbox: await readInbox(sql, hold.id), mostUsd: pass?.set_aside ?? null };
  });
}

/** A pass is over: its verdict, its point and its files become true together. */
export function shipRecorded(
  database: Database,
  hold: Hold,
  shipment: Shipment,
  published: Published,
  used: Used,
): Promise<Shipped> {
  return database.transaction(async (sql) => {
    const row = await lockOwn(sql, hold);
    if (row === null) return { is: 'lost' };
    if (row.events !== shipment.from + shipment.events.length) await append(sql, hold, shipment);
    const { head, point, point_ref } = published;
    await sql.query(
      `update dacapo.loop set head = coalesce($2, head), point = coalesce($3, point), point_ref = coalesce($4, point_ref),
           tries = 0, trouble = null where id = $1`,
      [hold.id, head, point, point_ref],
    );
    await endPasses(sql, hold, used);
    return { is: 'ours', inbox: await readInbox(sql, hold.id), mostUsd: null };
  });
}

async function endPasses(sql: Sql, { id, epoch }: Hold, { costUsd, tokens }: Used): Promise<void> {
  await sql.query(
    `update dacapo.pass set ended = now(), usd = $3, tokens = $4 where loop = $1 and epoch = $2 and ended is null`,
    [id, epoch, costUsd, tokens],
  );
  // Its money, or its call, may let another loop go on.
  await say(sql, { is: 'ready' });
}

/** When somebody may take the loop again. */
export type Release =
  /** It has ended, or a person has to act. */
  | { readonly until: null }
  | { readonly until: 'now' }
  | { readonly until: string; readonly for: string }
  /** After a while, because this try came to nothing. */
  | { readonly until: 'later'; readonly why: string };

const RETRY_SECONDS = 5;
const LONGEST_RETRY_SECONDS = 300;

/** Lets the loop go, with the last that it wrote. False: it is not ours to let go. */
export function letGo(
  database: Database,
  hold: Hold,
  shipment: Shipment | null,
  release: Release,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const row = await lockOwn(sql, hold);
    if (row === null) return false;
    if (shipment !== null && row.events !== shipment.from + shipment.events.length)
      await append(sql, hold, shipment);
    const { until } = release;
    await sql.query(
      `update dacapo.loop set worker = null, lease_until = null, waits_for = $2, trouble = $7, updated_at = now(),
         ready_at = case $3 when 'never' then null when 'now' then now()
           when 'later' then now() + make_interval(secs => least($4 * 2 ^ least(tries, 10), $5))
           else $6::timestamptz end,
         tries = tries + case $3 when 'later' then 1 else 0 end
       where id = $1`,
      [
        hold.id,
        'for' in release ? release.for : until === 'later' ? 'retry' : null,
        until === null ? 'never' : until === 'now' || until === 'later' ? until : 'at',
        RETRY_SECONDS,
        LONGEST_RETRY_SECONDS,
        'for' in release ? until : null,
        'why' in release ? release.why : null,
      ],
    );
    await say(sql, { is: 'ready' });
    return true;
  });
}

/** A loop in the hands of a worker. */
export interface Hold {
  readonly id: string;
  readonly epoch: number;
  readonly worker: string;
}

async function lockOwn(
  sql: Sql,
  { id, epoch, worker }: Hold,
): Promise<{ readonly events: number; readonly account: string } | null> {
  const [row] = await sql.query<{ events: number; account: string }>(
    `select events, account from dacapo.loop
     where id = $1 and epoch = $2 and worker = $3 and lease_until > now() for update`,
    [id, epoch, worker],
  );
  return row ?? null;
}

/** The caller holds the row of the loop. */
export async function append(
  sql: Sql,
  { id, epoch }: Pick<Hold, 'id' | 'epoch'>,
  { from, events, files, gone, summary, applied }: Shipment,
): Promise<void> {
  const bodies = events.map(storable);
  const { status, report, requests } = summary;
  const [row] = await sql.query(
    `update dacapo.loop set events = $3, status = $4, report = $5, requests = $6, updated_at = now()
     where id = $1 and events = $2 returning id`,
    [id, from, from + events.length, status, storable(report), storable(requests)],
  );
  if (row === undefined) throw new Error(`${id}: the record does not end at event ${from}`);
  await sql.query(
    `insert into dacapo.event (loop, n, epoch, type, at, stop, body)
     select $1, $2 + k, $3, body->>'type', (body->>'at')::timestamptz,
       case when body->>'type' = 'verdict' then (body->>'n')::int end, body
     from unnest($4::jsonb[]) with ordinality as e(body, k)`,
    [id, from, epoch, bodies],
  );
  for (const { name, sha256, content } of files)
    await sql.query(
      `insert into dacapo.file values ($1, $2, $3, $4)
       on conflict (loop, name) do update set sha256 = excluded.sha256, content = excluded.content`,
      [id, name, sha256, Buffer.from(content)],
    );
  if (gone.length > 0)
    await sql.query('delete from dacapo.file where loop = $1 and name = any($2)', [id, gone]);
  if (applied > 0) await sql.query('delete from dacapo.inbox where loop = $1 and k <= $2', [id, applied]);
}

/** As JSON without what Postgres can't hold: the character zero, and halves of characters. The output of a check has both. */
function storable(value: unknown): string {
  return JSON.stringify(value).replace(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g, (found) =>
    found === '\\\\' ? found : '\\ufffd',
  );
}
