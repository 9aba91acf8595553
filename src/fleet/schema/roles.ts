/** Who may do what with the tables: readers, people and workers have a role each. */
import { errorMessage } from '#base/shape.ts';
import type { Sql } from '../database/database.ts';
import { sayGrants, type DatabaseFunctions } from '../functions/function.ts';

/** What of a loop a dashboard does not need: prompts, addresses of `--notify`, flags of hosts, commands. */
const NOT_FOR_READERS = ['request', 'setup'];

/** Null: the roles are there. Otherwise why they could not be made; the rest of `init` holds all the same. */
export async function makeRoles(sql: Sql, functions: DatabaseFunctions): Promise<string | null> {
  await sql.query('savepoint roles');
  try {
    await sql.query(sayRoles(await loopColumnsForReaders(sql), functions));
    return null;
  } catch (error) {
    await sql.query('rollback to roles');
    return errorMessage(error);
  }
}

async function loopColumnsForReaders(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = 'dacapo.loop'::regclass and attnum > 0 and not attisdropped and attname <> all($1)
     order by attnum`,
    [NOT_FOR_READERS],
  );
  return rows.map(({ name }) => name);
}

function sayRoles(loopColumns: readonly string[], functions: DatabaseFunctions): string {
  return `
do $$ declare name text; begin
  foreach name in array array['dacapo_reader', 'dacapo_person', 'dacapo_worker'] loop
    if not exists (select from pg_roles where rolname = name) then execute 'create role ' || name; end if;
  end loop;
end $$;
revoke all on all tables in schema dacapo from dacapo_reader, dacapo_person, dacapo_worker;
grant usage on schema dacapo to dacapo_reader, dacapo_person, dacapo_worker;
${sayGrants(functions)}

-- Readers: how loops stand and what they cost, for dashboards.
grant select on dacapo.schema_version, dacapo.setting, dacapo.account, dacapo.account_room, dacapo.worker,
  dacapo.pass, dacapo.ready, dacapo.iterations, dacapo.spending to dacapo_reader;
grant select (${loopColumns.join(', ')}) on dacapo.loop to dacapo_reader;

-- People: submit, steer and set limits. Who steers writes to the record.
grant select, insert, update, delete on all tables in schema dacapo to dacapo_person;
revoke insert, update, delete on dacapo.schema_version, dacapo.setting from dacapo_person;
revoke insert, delete on dacapo.worker from dacapo_person;

-- Workers: read, and write by the functions above alone.
grant select on all tables in schema dacapo to dacapo_worker;

-- A key is for the worker that took the loop, and nobody else.
revoke all on dacapo.hold from dacapo_reader, dacapo_person, dacapo_worker;
grant select (loop, lease_until) on dacapo.hold to dacapo_reader, dacapo_person, dacapo_worker;
`;
}
