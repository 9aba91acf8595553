/** How a worker gets a loop: it leases one, loads its record, and renews the lease. */
import { JOURNAL_VERSION, type Used } from '#law/record/events.ts';
import type { LoopAction } from '#engine/steer/actions.ts';
import type { LoopFile } from '#store/manifest.ts';
import { act } from './codec/acts.ts';
import { assertKnownRequest, loopRow } from './codec/loop-row.ts';
import { fitShape, MAX_FILES_BYTES, readFileRow } from './codec/rows.ts';
import type { Database, Sql } from './database/database.ts';
import { readPages } from './read-pages.ts';
import { readRecord } from './record.ts';
import type { Submission } from './submit.ts';
import type { Take } from './takes.ts';

export interface LeasedRow extends Omit<Submission, 'needs' | 'priority' | 'commits'> {
  readonly id: string;
  readonly epoch: number;
  /** Only who took the loop knows it: without it, nothing is written in the name of its worker. */
  readonly key: string;
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
  /** Why the last try came to nothing; null: there was none, or it did not. */
  readonly trouble: string | null;
  /** Since its last counted pass, with this one. */
  readonly takes: readonly Take[];
}

export interface WorkerProfile {
  readonly name: string;
  readonly labels: readonly string[];
  /** The names of those whose agents can work here. */
  readonly hosts: readonly string[];
  /** Patterns of repositories; empty: any. */
  readonly accept: readonly string[];
  /** Takes this loop or none; null: any. */
  readonly loop: string | null;
  readonly leaseSeconds: number;
}

/** The next loop for this worker; null: none. */
export async function leaseNextLoop(database: Database, taker: WorkerProfile): Promise<LeasedRow | null> {
  const { name, labels, hosts, accept, leaseSeconds, loop: wanted } = taker;
  for (;;) {
    const [row] = await database.transaction((sql) =>
      sql.query<{ loop: unknown; key: string; id: string; epoch: number }>(
        `select loop, key, loop->>'id' as id, (loop->>'epoch')::int as epoch
         from dacapo.lease_next_loop($1, $2, $3, $4, $5, $6, $7)`,
        [name, leaseSeconds, labels, hosts, accept.map(patternOfGlob), JOURNAL_VERSION, wanted],
      ),
    );
    if (row === undefined) return null;
    const { loop, id, epoch, key } = row;
    if (loopRow(loop)) return { ...loop, key };
    // It costs this loop, and none of those behind it.
    const why = "its row can't be read";
    await database.query('select dacapo.set_aside_unread($1, $2, $3, $4)', [id, epoch, key, why]);
  }
}

/** `*` stands for anything. */
export function patternOfGlob(glob: string): string {
  return `^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`;
}

/** A person's act that waits for the loop's worker. */
export interface Waiting {
  readonly k: number;
  readonly act: LoopAction;
}

export type LoopRecord = Awaited<ReturnType<typeof loadRecord>>;

/** Throws `UnfitRecord`. */
export async function loadRecord(sql: Sql, { id, request }: Pick<LeasedRow, 'id' | 'request'>) {
  const [used] = await sql.query<Used>(
    `select sum(usd) as "costUsd", sum(tokens) as tokens from dacapo.pass
     where loop = $1 and ended is null having sum(usd) > 0 or sum(tokens) > 0`,
    [id],
  );
  const { events } = await readRecord(sql, id);
  if (events.length === 0) assertKnownRequest(id, request);
  return {
    events,
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
  const files = await readPages(sql, {
    rows: `select name as key, sha256 as note, content as value from dacapo.file
      where loop = $1 and name ~ $2 and not name = any($3)`,
    values: [id, pattern, known],
    size: 'octet_length(value)',
    maxBytes: MAX_FILES_BYTES,
  });
  return files.map(({ key, note, value }) =>
    readFileRow(id, {
      name: String(key),
      sha256: note ?? '',
      content: value instanceof Uint8Array ? value : null,
    }),
  );
}

export async function readInbox(sql: Sql, id: string): Promise<Waiting[]> {
  const rows = await sql.query<Waiting>('select k, act from dacapo.inbox where loop = $1 order by k', [id]);
  for (const { act: asked } of rows) fitShape(act, asked, id, 'what a person asked of it');
  return rows;
}

/** What one loop of a worker has used in its pass so far. */
export interface Meter extends Used, Pick<LeasedRow, 'id' | 'epoch' | 'key'> {
  /** A heartbeat may come when the next pass has begun. Null: there is no pass. */
  readonly pass: number | null;
}

export interface Beat {
  /** The loops that are still this worker's. */
  readonly mine: ReadonlySet<string>;
  readonly isDraining: boolean;
  /** Another worker of the same name may have left the fleet, and taken the row with it. */
  readonly isEnrolled: boolean;
}

/** Renews the leases of loops that nobody else has taken since, also those that ran out, and says which. */
export async function renewLeases(
  sql: Sql,
  { name, leaseSeconds }: Pick<WorkerProfile, 'name' | 'leaseSeconds'>,
  meters: readonly Meter[],
): Promise<Beat> {
  const fields = ['id', 'epoch', 'key', 'costUsd', 'tokens', 'pass'] as const;
  const [row] = await sql.query<{ mine: string[]; draining: boolean | null }>(
    'select mine, draining from dacapo.renew_leases($1, $2, $3, $4, $5, $6, $7, $8)',
    [name, leaseSeconds, ...fields.map((field) => meters.map((meter) => meter[field]))],
  );
  const draining = row?.draining ?? null;
  return { mine: new Set(row?.mine), isDraining: draining === true, isEnrolled: draining !== null };
}
