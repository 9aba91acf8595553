/** Whether this program and the tables of a fleet fit together. */
import { refuse, type Refusal } from '#base/refusal.ts';
import type { Sql } from '../database/database.ts';
import { SCHEMA_VERSION } from './migrations.ts';

interface SchemaVersion {
  /** The last migration that was applied. */
  readonly version: number;
  /** The least number that a program may need to go on with these tables. */
  readonly usableFrom: number;
}

/** Null: the tables were never made. Throws what the database says. */
export async function readSchemaVersion(sql: Sql): Promise<SchemaVersion | null> {
  const [at] = await sql.query<{ there: boolean }>(
    `select to_regclass('dacapo.schema_version') is not null as there`,
  );
  if (at?.there !== true) return null;
  // All columns: before migration 2 there is one.
  const [row] = await sql.query<{ version: number; usable_from?: number }>(
    'select * from dacapo.schema_version',
  );
  return row === undefined ? null : { version: row.version, usableFrom: row.usable_from ?? row.version };
}

/** Why `init` can do nothing either. */
export const NEWER_SCHEMA = 'new-schema';

/** Null: the tables are there and this program can go on with them. Throws what the database says. */
export async function refuseSchema(sql: Sql): Promise<Refusal | null> {
  const found = await readSchemaVersion(sql);
  if (found === null)
    return refuse('no-schema', 'This database has no Da Capo tables.', 'Run dacapo fleet init.');
  const { version, usableFrom } = found;
  const numbers = `The fleet's tables have version ${version}; this dacapo needs version ${SCHEMA_VERSION}.`;
  if (usableFrom > SCHEMA_VERSION) return refuse(NEWER_SCHEMA, numbers, 'Upgrade dacapo on this machine.');
  if (version >= SCHEMA_VERSION) return null;
  const next = 'Run dacapo fleet init: it updates them and keeps their content.';
  return refuse('old-schema', numbers, next);
}
