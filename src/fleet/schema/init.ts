/** `dacapo fleet init`: applies the migrations that are missing, then makes views, functions and roles. */
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse, type Granted } from '#base/refusal.ts';
import { codeOf } from '#base/shape.ts';
import type { Database, Sql } from '../database/database.ts';
import { sayFunctions, type DatabaseFunctions } from '../functions/function.ts';
import { LEASE_FUNCTIONS } from '../functions/lease.ts';
import { RECORD_FUNCTIONS } from '../functions/record.ts';
import { WORKER_FUNCTIONS } from '../functions/worker.ts';
import { readLeaseSeconds } from './lease.ts';
import { MIGRATIONS, SCHEMA_VERSION, type Migration } from './migrations.ts';
import { makeRoles } from './roles.ts';
import { readSchemaVersion } from './version.ts';
import { makeDatabaseViews } from './views.ts';

export const FUNCTIONS: DatabaseFunctions = { ...RECORD_FUNCTIONS, ...LEASE_FUNCTIONS, ...WORKER_FUNCTIONS };

/**
 * Any number will do: two calls of `init` at once work one after the other. It is no parameter, because a
 * query with parameters keeps its snapshot until the next one, and an index waits for old snapshots.
 */
const TRY_INIT_LOCK = 'select pg_try_advisory_xact_lock(719240517) as ours';
/** Whoever waits for the lock of a table makes everybody behind wait as well: less long than their limit. */
const TABLE_LOCK_LIMIT_MS = 4_000;
const OTHER_INIT_LIMIT_MS = 10_000;
const OTHER_INIT_LOOK_MS = 100;
const RUNNING_BUILD_LOOK_MS = 200;

export interface FleetInit {
  readonly schema: number;
  readonly created: boolean;
  readonly lease_seconds: number;
  /** Why the roles could not be made; null: they are there. */
  readonly without_roles: string | null;
}

/** `lease` in seconds; null leaves it as it is. The database should have no time limit. */
export function initFleet(
  database: Database,
  lease: number | null,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Granted<FleetInit>> {
  return holdInitLock(database, async () => {
    const before = (await readSchemaVersion(database))?.version ?? 0;
    for (const migration of migrations.filter(({ number }) => number > before)) {
      const applied = await applyMigration(database, migration);
      if (!applied.ok) return applied;
    }
    // What a newer program has made stays: its workers need it, and this program can go on with it.
    const made = before > SCHEMA_VERSION ? NOTHING_MADE : await makeAroundTables(database);
    if (!made.ok) return made;
    if (lease !== null) await database.query('update dacapo.setting set lease_seconds = $1', [lease]);
    const { version: schema } = (await readSchemaVersion(database)) ?? { version: 0 };
    const lease_seconds = await readLeaseSeconds(database);
    return { ok: true, schema, created: before === 0, lease_seconds, without_roles: made.withoutRoles };
  });
}

const NOTHING_MADE = { ok: true, withoutRoles: null } as const;

/**
 * A transaction that holds the lock and does nothing else. The work is done beside it, because an index is
 * built outside of any transaction. It asks again instead of waiting within one query: such a query would
 * be what `create index concurrently` of the other `init` waits for.
 */
function holdInitLock<T extends object>(
  database: Database,
  act: () => Promise<Granted<T>>,
): Promise<Granted<T>> {
  return database.transaction(async (sql) => {
    await sql.query('set local idle_in_transaction_session_timeout = 0');
    for (let waited = 0; ; waited += OTHER_INIT_LOOK_MS) {
      const [row] = await sql.query<{ ours: boolean }>(TRY_INIT_LOCK);
      if (row?.ours === true) return act();
      if (waited >= OTHER_INIT_LIMIT_MS)
        return refuse(
          'other-init',
          'Another dacapo fleet init is at work on this database.',
          'Wait until it has ended, then run this one again.',
        );
      await sleep(OTHER_INIT_LOOK_MS);
    }
  });
}

async function applyMigration(database: Database, migration: Migration): Promise<Granted<object>> {
  const { number, endsOlderPrograms } = migration;
  if ('index' in migration) await buildIndex(database, migration.index);
  return changeTables(database, `Migration ${number}`, async (sql) => {
    if ('sql' in migration) await sql.query(migration.sql);
    // The first one writes its number itself: the table has no second column yet.
    if (number > 1)
      await sql.query(
        'update dacapo.schema_version set version = $1, usable_from = greatest(usable_from, $2)',
        [number, endsOlderPrograms === true ? number : 1],
      );
    return {};
  });
}

/**
 * A build that was cut short leaves an index that is not valid: it goes, and the build begins again. The
 * server does not notice at once that a client has left, so the build of an earlier `init` may still run.
 */
async function buildIndex(
  database: Database,
  { name, on, unique }: Extract<Migration, { index: object }>['index'],
): Promise<void> {
  const at = [`dacapo.${name}`];
  const running = 'select from pg_stat_progress_create_index where index_relid = to_regclass($1)';
  while ((await database.query(running, at)).length > 0) await sleep(RUNNING_BUILD_LOOK_MS);
  const invalid = 'select from pg_index where indexrelid = to_regclass($1) and not indisvalid';
  if ((await database.query(invalid, at)).length > 0)
    await database.runAlone(`drop index concurrently dacapo.${name}`);
  const create = unique === true ? 'create unique index' : 'create index';
  await database.runAlone(`${create} concurrently if not exists ${name} on ${on}`);
}

/** Views, functions and roles hold no data, so they are made anew each time. */
function makeAroundTables(database: Database): Promise<Granted<{ readonly withoutRoles: string | null }>> {
  return changeTables(database, 'Making the views and functions', async (sql) => {
    await makeDatabaseViews(sql);
    await sql.query(sayFunctions(FUNCTIONS));
    return { withoutRoles: await makeRoles(sql, FUNCTIONS) };
  });
}

const LOCK_NOT_AVAILABLE = '55P03';

async function changeTables<T extends object>(
  database: Database,
  what: string,
  change: (sql: Sql) => Promise<T>,
): Promise<Granted<T>> {
  try {
    return await database.transaction(async (sql) => {
      await sql.query(`set local lock_timeout = ${TABLE_LOCK_LIMIT_MS}`);
      return { ok: true, ...(await change(sql)) };
    });
  } catch (error) {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    return refuse(
      'tables-in-use',
      `${what} needs tables that another transaction has used for ${TABLE_LOCK_LIMIT_MS / 1_000}s. ` +
        'Nothing of it was applied.',
      'Run dacapo fleet init again. If it is refused again, look in pg_stat_activity for a long ' +
        'transaction, such as a backup.',
    );
  }
}
