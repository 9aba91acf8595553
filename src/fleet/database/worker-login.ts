/**
 * The database login of a worker. An agent runs as the user of its worker and can read what that user can, so
 * a worker should only know a login for workers. `dacapo fleet init` creates one if it may.
 */
import { randomBytes } from 'node:crypto';
import { refuse, type Refusal } from '#base/refusal.ts';
import type { Address } from './address.ts';
import type { Sql } from './database.ts';

/** Whether the caller owns the tables, and whether it could make a login for workers instead. */
async function standing(sql: Sql): Promise<{ readonly owns: boolean; readonly mayMake: boolean }> {
  const [row] = await sql.query<{ owns: boolean; may_make: boolean }>(
    `select pg_has_role(n.nspowner, 'member') as owns, r.rolsuper or r.rolcreaterole as may_make
     from pg_namespace n, pg_roles r where n.nspname = 'dacapo' and r.rolname = current_user`,
  );
  return { owns: row?.owns === true, mayMake: row?.may_make === true };
}

/** A worker is never the owner by accident: its agents could then become the owner, too. */
export async function refuseOwner(sql: Sql): Promise<Refusal | null> {
  const { owns, mayMake } = await standing(sql);
  if (!owns) return null;
  const who = mayMake ? 'dacapo fleet init makes one' : 'an administrator of the database makes one';
  return refuse(
    'owner',
    'This is the owner of the database, and an agent can read what its worker can.',
    `Use a login in role dacapo_worker (${who}), or give --as-owner.`,
  );
}

/** The URL of a login for workers of this database; null: none can be made, or one is there already. */
export async function makeWorkerLogin(sql: Sql, { url }: Address): Promise<string | null> {
  if (!(await standing(sql)).mayMake) return null;
  const [at] = await sql.query<{ name: string; isThere: boolean }>(
    `select name, exists (select from pg_roles where rolname = name) as "isThere"
     from (select left('dacapo_worker_' || regexp_replace(current_database(), '\\W', '_', 'g'), 63) as name) n`,
  );
  if (at === undefined || at.isThere) return null;
  const password = randomBytes(24).toString('hex');
  // A name of letters, digits and _, in the case that it has.
  await sql.query(`create role "${at.name}" login password '${password}' in role dacapo_worker`);
  const login = new URL(url);
  [login.username, login.password] = [at.name, password];
  return login.href;
}
