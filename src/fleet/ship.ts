/**
 * What a worker writes to the record. The epoch that it got with the loop is the fence: after a cancel, a pause or another
 * worker's take, nothing that it ships is accepted. A lease that ran out changes nothing by itself: while the database was
 * away, nobody could renew it, and nobody else could take the loop. Each call may be made again if its answer was lost.
 */
import { fold } from '../core/fold/index.ts';
import type { Loop } from '../core/loop.ts';
import type { Event, Used } from '../core/record/events.ts';
import type { Sink } from '../sinks/sink.ts';
import { tellSinks } from '../sinks/tell-sinks.ts';
import { say, type Database, type Sql } from './database.ts';
import { readInbox, type TakenLoop, type Waiting } from './lease.ts';
import { admit, lockAccount } from './limits.ts';
import type { Grown } from './memory.ts';
import type { RowSummary } from './record.ts';
import { stopUnread } from './unread.ts';

/** What a loop wrote since the last shipment, and how it stands now. */
export interface Shipment extends Grown {
  /** How many events were shipped before. */
  readonly from: number;
  readonly summary: RowSummary;
  /** The last of the person's acts that these events come from; 0: none. */
  readonly applied: number;
}

/** What of the work is in the repository. Null: as before. */
export type Published = Pick<TakenLoop, 'head' | 'point' | 'point_ref'>;

export type Shipped =
  | { readonly is: 'ours'; readonly inbox: readonly Waiting[]; readonly mostUsd: number | null }
  /** The loop is another's, or nobody's. */
  | { readonly is: 'lost' }
  /** The account has no room for this pass. Nothing was shipped. */
  | { readonly is: 'refused' };

/** A pass begins: it is in the record, and paid for, before its host starts. */
export function shipTaken(database: Database, hold: LoopHold, shipment: Shipment, base: string | null) {
  return database.transaction<Shipped>(async (sql) => {
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
  hold: LoopHold,
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
    await sql.query(
      `update dacapo.pass set ended = now(), usd = $3, tokens = $4 where loop = $1 and epoch = $2 and ended is null`,
      [hold.id, hold.epoch, used.costUsd, used.tokens],
    );
    // Its money, or its call, may let another loop go on.
    await say(sql, { is: 'ready' });
    return { is: 'ours', inbox: await readInbox(sql, hold.id), mostUsd: null };
  });
}

/** When somebody may take the loop again. */
export type Release =
  /** It has ended, or a person has to act. */
  | { readonly until: null }
  | { readonly until: 'now' }
  | { readonly until: string; readonly for: string }
  /**
   * After 5 s and more, up to 5 minutes, because this try came to nothing. `isSpoilt`: because of what the record says, so
   * after a few such tries a person has to look.
   */
  | { readonly until: 'later'; readonly why: string; readonly isSpoilt?: boolean };

/** Another worker may read what this one can't. */
const SPOILT_TRIES = 3;

/** Lets the loop go, with the last that it wrote. False: it is not ours to let go. */
export function letGo(database: Database, hold: LoopHold, shipment: Shipment | null, release: Release) {
  return database.transaction(async (sql) => {
    const row = await lockOwn(sql, hold);
    if (row === null) return false;
    if (shipment !== null && row.events !== shipment.from + shipment.events.length)
      await append(sql, hold, shipment);
    const { until } = release;
    const reason = 'for' in release ? release.for : until === 'later' ? 'retry' : null;
    // The clocks of two machines differ, and only the database's decides who may take a loop: it gets the time that is left.
    const leftMs = 'for' in release ? Date.parse(release.until) - Date.now() : until === null ? null : 0;
    await sql.query(
      `update dacapo.loop set worker = null, lease_until = null, waits_for = $2, trouble = $4, updated_at = now(),
         ready_at = case when $3 = 'later' then now() + make_interval(secs => least(5 * 2 ^ least(tries, 10), 300))
           else now() + make_interval(secs => $5) end,
         tries = tries + case when $3 = 'later' then 1 else 0 end
       where id = $1`,
      [
        hold.id,
        reason,
        until,
        'why' in release ? release.why : null,
        leftMs === null ? null : leftMs / 1_000,
      ],
    );
    if ('isSpoilt' in release && release.isSpoilt === true && row.tries + 1 >= SPOILT_TRIES)
      await stopUnread(sql, hold.id, 'interrupted', `interrupted: ${release.why}`);
    await say(sql, { is: 'ready' });
    return true;
  });
}

/** A loop in the hands of a worker. */
export interface LoopHold {
  readonly id: string;
  readonly epoch: number;
  readonly worker: string;
}

type Own = Pick<TakenLoop, 'events' | 'account'> & { readonly tries: number };

export async function isOurs(sql: Sql, hold: LoopHold): Promise<boolean> {
  return (await lockOwn(sql, hold)) !== null;
}

export async function lockOwn(sql: Sql, { id, epoch, worker }: LoopHold): Promise<Own | null> {
  const [row] = await sql.query<Own>(
    `select events, account, tries from dacapo.loop
     where id = $1 and epoch = $2 and worker = $3 for update`,
    [id, epoch, worker],
  );
  return row ?? null;
}

/** The caller holds the row of the loop. */
export async function append(
  sql: Sql,
  { id, epoch }: Pick<LoopHold, 'id' | 'epoch'>,
  { from, events, files, gone, summary, applied }: Shipment,
): Promise<void> {
  const bodies = events.map((event) => storable(event));
  const { status, report, requests } = summary;
  const [first] = events;
  const journal = first?.type === 'created' ? first.version : 0;
  const [row] = await sql.query(
    `update dacapo.loop set events = $3, status = $4, report = $5, requests = $6, journal = greatest(journal, $7),
       updated_at = now()
     where id = $1 and events = $2 returning id`,
    [id, from, from + events.length, status, storable(report), storable(requests), journal],
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
export function storable(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer).replace(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g, (found) =>
    found === '\\\\' ? found : '\\ufffd',
  );
}

/**
 * Whoever writes to the record tells people, once the write is true: a worker what it shipped, a person's hand what it did.
 * So a pass that did not count, or a loop that was taken over, tells nobody twice. `known`: what was in the record before.
 * Each call gets the events after those of the last one.
 */
export function tellAfter(known: readonly Event[], sink: Sink): (written: readonly Event[]) => void {
  let loop = known.reduce<Loop | null>(fold, null);
  const sinks: Sink[] = [(notice) => sink({ ...notice, ofFleet: true })];
  return (written) => {
    for (const event of written) {
      const before = loop;
      loop = fold(before, event);
      if (loop !== null) tellSinks(sinks, before, loop, event);
    }
  };
}
