/** A function of the database, as a value. */
export interface DatabaseFunction {
  readonly takes: string;
  readonly gives: string;
  /** Who may call it. Nobody else can, but for the owner. */
  readonly for: 'workers' | 'people' | 'all';
  readonly body: string;
}

export type DatabaseFunctions = Readonly<Record<string, DatabaseFunction>>;

/**
 * It runs with the rights of the owner of the tables. So its path is fixed, and every name is written whole.
 */
export const AS_OWNER = 'security definer set search_path = pg_catalog, pg_temp';
/** The same path, and the rights of who calls it. */
export const AS_CALLER = 'set search_path = pg_catalog, pg_temp';

/** Another worker may read what this one can't. After this many tries, a person has to look. */
export const MAX_UNREADABLE_TRIES = 3;
/** A pass with less money than this could not even begin. */
export const MIN_PASS_USD = 0.01;

/** As SQL that may run again. */
export function sayFunctions(functions: DatabaseFunctions): string {
  return Object.entries(functions)
    .map(([name, { takes, gives, body }]) => {
      const made = `create or replace function dacapo.${name}(${takes}) returns ${gives}`;
      return `${made} as $body$${body}$body$; revoke all on ${signatureOf(name, takes)} from public;`;
    })
    .join('\n');
}

/** With what it takes, without defaults: an older program may have left one of the same name. */
function signatureOf(name: string, takes: string): string {
  return `function dacapo.${name}(${takes.replaceAll(/ default \w+/g, '')})`;
}

export function sayGrants(functions: DatabaseFunctions): string {
  const who = {
    workers: 'dacapo_worker',
    people: 'dacapo_person',
    all: 'dacapo_reader, dacapo_person, dacapo_worker',
  };
  return Object.entries(functions)
    .map(([name, { takes, for: whom }]) => `grant execute on ${signatureOf(name, takes)} to ${who[whom]};`)
    .join('\n');
}
