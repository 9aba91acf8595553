/** `dacapo fleet init` and `limits`: the tables, and what accounts may use. */
import { fileOf, keepAddress, type Address } from '#fleet/database/address.ts';
import { readLimits, setLimits, type AccountLimits, type Limits } from '#fleet/limits.ts';
import { NO_TIME_LIMIT, type Database } from '#fleet/database/database.ts';
import { initFleet } from '#fleet/schema/init.ts';
import { MIN_LEASE_SECONDS } from '#fleet/schema/lease.ts';
import { NEWER_SCHEMA, refuseSchema } from '#fleet/schema/version.ts';
import { makeWorkerLogin } from '#fleet/database/worker-login.ts';
import { homeFolder } from '#store/file/home.ts';
import { EXIT, fail, failFor, headedTable, printNote, reply } from '../terminal/terminal.ts';
import type { GivenFlags } from '../command.ts';
import { withDatabase, withFleet, type FleetOptions } from './fleet.ts';

export async function runFleetInit(
  options: FleetOptions & { readonly lease: number | undefined },
): Promise<number> {
  const seconds = options.lease === undefined ? null : Math.ceil(options.lease / 1_000);
  if (seconds !== null && seconds < MIN_LEASE_SECONDS)
    return fail(
      `--lease takes at least ${MIN_LEASE_SECONDS}s: a busy worker may be silent for a moment.`,
      'give a longer one, such as --lease 15s.',
      EXIT.usage,
    );
  const act = async (database: Database, address: Address): Promise<number> => {
    const refusal = await refuseSchema(database);
    if (refusal?.code === NEWER_SCHEMA) return failFor(refusal);
    const init = await initFleet(database, seconds);
    if (!init.ok) return failFor(init);
    const { ok: _, without_roles, ...made } = init;
    const home = homeFolder(process.env, process.platform);
    const isKept = options.database !== undefined;
    // Whoever can't keep it could never give it to a worker.
    const login = isKept && without_roles === null ? await makeWorkerLogin(database, address) : null;
    if (isKept) keepAddress(address, login, home);
    if (without_roles !== null)
      printNote(`Da Capo: the roles of readers, people and workers could not be made (${without_roles}).`);
    return reply(
      options.json,
      made,
      `Da Capo: ${made.created ? 'made the tables of a fleet' : 'the fleet is ready'} in ` +
        `${address.shown} (version ${made.schema}, lease ${made.lease_seconds}s).`,
      ...(login === null ? [] : [`Workers have a login of their own: "worker" in ${fileOf(home)}.`]),
      'dacapo worker takes its loops; dacapo fleet submit "PROMPT" --repo URL --ref REF gives it one.',
    );
  };
  return withDatabase(options, act, NO_TIME_LIMIT);
}

type LimitOptions = FleetOptions &
  GivenFlags<never, 'account'> & { readonly [K in keyof Limits]: Limits[K] | undefined };

export async function runLimits({ account, json, database: url, ...given }: LimitOptions): Promise<number> {
  const { max_loops, max_calls_per_hour, max_cost_per_day } = given;
  const asked = Object.entries({ max_loops, max_calls_per_hour, max_cost_per_day });
  const values = Object.fromEntries(asked.filter(([, value]) => value !== undefined));
  return withFleet({ database: url }, async (database) => {
    if (Object.keys(values).length > 0)
      await database.transaction((sql) => setLimits(sql, account ?? 'default', values));
    const accounts = await readLimits(database, account ?? null);
    return reply(json, accounts, ...headedTable(HEADING, accounts.map(row)));
  });
}

const HEADING = ['ACCOUNT', 'LOOPS AT ONCE', 'CALLS PER HOUR', 'USD PER DAY'];

function row({ account, max_loops, max_calls_per_hour, max_cost_per_day }: AccountLimits): string[] {
  return [account, ...[max_loops, max_calls_per_hour, max_cost_per_day].map((most) => String(most ?? '–'))];
}
