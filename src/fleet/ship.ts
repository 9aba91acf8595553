/**
 * What a worker writes to the record. The epoch that it got with the loop is the fence: after a cancel, a
 * pause or a lease of another worker, nothing that it ships is accepted. An expired lease alone changes
 * nothing: while the database was away, nobody could renew it and nobody could take the loop. Each call may
 * be repeated if its answer was lost.
 */
import { fold } from '#law/fold/index.ts';
import type { Loop } from '#law/loop.ts';
import type { Event, Used } from '#law/record/events.ts';
import type { Sink } from '#engine/notices/sink.ts';
import { tellSinks } from '#engine/notices/tell-sinks.ts';
import type { Database, Sql } from './database/database.ts';
import { readInbox, type LeasedRow, type Waiting } from './lease.ts';
import type { JournalDelta } from './memory.ts';
import type { RowSummary } from './record.ts';
import { notifyReady, notifyRoom } from './database/words.ts';

/** What a loop wrote since the last shipment, and how it stands now. */
export interface Shipment extends JournalDelta {
  /** How many events were shipped before. */
  readonly from: number;
  readonly summary: RowSummary;
  /** The last of the person's acts that these events come from; 0: none. */
  readonly applied: number;
}

/** What of the work is in the repository. Null: as before. */
export type Published = Pick<LeasedRow, 'head' | 'point' | 'point_ref'>;

export type Shipped =
  | { readonly is: 'ours'; readonly inbox: readonly Waiting[]; readonly mostUsd: number | null }
  /** The loop is another's, or nobody's. */
  | { readonly is: 'lost' }
  /** The account has no room for this pass. Nothing was shipped. */
  | { readonly is: 'refused' };

/** A pass begins: it is in the record, and paid for, before its host starts. */
export function shipTaken(database: Database, hold: LoopHold, shipment: Shipment, base: string | null) {
  return database.transaction<Shipped>(async (sql) => {
    const [row] = await sql.query<{ became: 'ours' | 'lost' | 'refused'; most_usd: number | null }>(
      'select became, most_usd from dacapo.begin_pass($1, $2, $3, $4, $5, $6)',
      [...holdParameters(hold), ...shipmentParameters(shipment), base],
    );
    if (row?.became !== 'ours') return { is: row?.became ?? 'lost' };
    return { is: 'ours', inbox: await readInbox(sql, hold.id), mostUsd: row.most_usd };
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
    const [row] = await sql.query<{ is_ours: boolean }>(
      'select dacapo.record_pass($1, $2, $3, $4, $5, $6, $7, $8) as is_ours',
      [
        ...holdParameters(hold),
        ...shipmentParameters(shipment),
        storable(published),
        used.costUsd,
        used.tokens,
      ],
    );
    if (row?.is_ours !== true) return { is: 'lost' };
    // The money that it did not use may let another loop go on.
    await notifyRoom(sql, hold.id, true);
    return { is: 'ours', inbox: await readInbox(sql, hold.id), mostUsd: null };
  });
}

/** When somebody may take the loop again. */
export type Release =
  /** It has ended, or a person has to act. */
  | { readonly until: null }
  | { readonly until: 'now' }
  /**
   * For how long. The clocks of two machines differ, and only the database's decides who may take a loop.
   * `until`: the same by the clock of its worker, for people.
   */
  | { readonly until: string; readonly for: string; readonly leftMs: number }
  /**
   * After 5 s and more, up to 5 minutes, because this try came to nothing. `isSpoilt`: because of what the
   * record says, so after a few such tries a person has to look.
   */
  | { readonly until: 'later'; readonly why: string; readonly isSpoilt?: boolean };

/** Lets the loop go, with the last that it wrote. False: it is not ours to let go. */
export function releaseLoop(database: Database, hold: LoopHold, shipment: Shipment | null, release: Release) {
  return database.transaction(async (sql) => {
    const { until } = release;
    const reason = 'for' in release ? release.for : until === 'later' ? 'retry' : null;
    const why = 'why' in release ? release.why : null;
    const isSpoilt = 'isSpoilt' in release && release.isSpoilt === true;
    const leftMs = 'for' in release ? release.leftMs : until === null ? null : 0;
    const secondsLeft = leftMs === null ? null : leftMs / 1_000;
    const [row] = await sql.query<{ is_ours: boolean }>(
      'select dacapo.release_loop($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as is_ours',
      [
        ...holdParameters(hold),
        ...(shipment === null ? [null, []] : shipmentParameters(shipment)),
        secondsLeft,
        until === 'later',
        reason,
        why,
        isSpoilt,
      ],
    );
    if (row?.is_ours !== true) return false;
    if (until === 'now') await notifyReady(sql, hold.id);
    else await notifyRoom(sql, hold.id, false);
    return true;
  });
}

/**
 * The pass of a loop that was taken from this worker is over. If nobody hears of that, its lease runs out.
 */
export async function endLostPass(database: Database, { id, key }: LoopHold): Promise<void> {
  await database.transaction(async (sql) => {
    const [row] = await sql.query<{ ended: boolean }>('select dacapo.end_lost_pass($1, $2) as ended', [
      id,
      key,
    ]);
    if (row?.ended === true) await notifyReady(sql, id);
  });
}

/** A loop in the hands of a worker. */
export type LoopHold = Pick<LeasedRow, 'id' | 'epoch' | 'key'>;

/** What says to every function of the database whose the loop is. */
export function holdParameters({ id, epoch, key }: LoopHold): readonly [string, number, string] {
  return [id, epoch, key];
}

export async function holdsLease(sql: Sql, hold: LoopHold): Promise<boolean> {
  const [row] = await sql.query<{ id: string | null }>(
    'select (dacapo.own_loop($1, $2, $3)).id',
    holdParameters(hold),
  );
  return row !== undefined && row.id !== null;
}

/** The caller holds the row of the loop, and may write to the tables. */
export async function append(
  sql: Sql,
  { id, epoch }: Omit<LoopHold, 'key'>,
  shipment: Shipment,
): Promise<void> {
  await sql.query('select dacapo.append_to_loop($1, $2, $3, $4)', [
    id,
    epoch,
    ...shipmentParameters(shipment),
  ]);
}

/** As the functions of the database take it: as JSON, and the contents of its files. */
function shipmentParameters({
  from,
  events,
  files,
  removedFiles,
  summary,
  applied,
}: Shipment): readonly [string, Buffer[]] {
  const [first] = events;
  const journal = first?.type === 'created' ? (first.version ?? 0) : 0;
  const names = files.map(({ name, sha256 }) => ({ name, sha256 }));
  return [
    storable({ from, events, files: names, removedFiles, summary, applied, journal }),
    files.map(({ content }) => Buffer.from(content)),
  ];
}

/**
 * As JSON without what Postgres can't hold: the character zero, and halves of characters. The output of a
 * check has both.
 */
export function storable(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer).replace(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g, (found) =>
    found === '\\\\' ? found : '\\ufffd',
  );
}

/**
 * Whoever writes to the record tells people, once the write is true: a worker what it shipped, a person's
 * hand what it did. So a pass that did not count, or a loop that was taken over, tells nobody twice. `known`:
 * what was in the record before. Each call gets the events after those of the last one.
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
