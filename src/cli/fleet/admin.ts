/** `dacapo fleet init` and `limits`: the tables, and what accounts may use. */
import { keepAddress } from '../../fleet/address.ts';
import { readLimits, setLimits, type AccountLimits } from '../../fleet/limits.ts';
import { LEAST_LEASE_SECONDS, makeTables, SCHEMA, versionOf } from '../../fleet/schema.ts';
import { readCost, readCount, readDuration, type Reading } from '../../flags/values.ts';
import { homeFolder } from '../../store/file/home.ts';
import { EXIT, fail, failFor, note, paint, say, sayJson, table, verbatim } from '../terminal/terminal.ts';
import type { Given } from '../command.ts';
import { withDatabase, withFleet, type FleetOptions } from './fleet.ts';

export async function runInit(options: FleetOptions & Given<never, 'lease'>): Promise<number> {
  const lease = options.lease === undefined ? null : readDuration(options.lease);
  if (lease?.ok === false) return failFor({ ...lease, message: `--lease ${lease.message}` }, EXIT.usage);
  const seconds = lease === null ? null : Math.ceil(lease.value / 1_000);
  if (seconds !== null && seconds < LEAST_LEASE_SECONDS)
    return fail(
      `--lease is at least ${LEAST_LEASE_SECONDS}s: a busy worker may be silent for a moment.`,
      'give a longer one, such as --lease 15s.',
      EXIT.usage,
    );
  return withDatabase(options, async (database, address) => {
    const version = await versionOf(database);
    if (version !== null && version > SCHEMA)
      return fail(
        `the tables of this fleet have version ${version}, and this dacapo knows version ${SCHEMA}.`,
        'upgrade dacapo on this machine.',
      );
    const { without_roles, ...made } = await database.transaction((sql) => makeTables(sql, seconds));
    if (options.database !== undefined) keepAddress(address, homeFolder(process.env, process.platform));
    if (without_roles !== null)
      note(`Da Capo: the roles of readers, people and workers could not be made (${without_roles}).`);
    if (options.json) sayJson(made);
    else
      say(
        `Da Capo: ${made.created ? 'made the tables of a fleet' : 'the fleet is ready'} in ${address.shown} (version ${made.schema}, lease ${made.lease_seconds}s).`,
        'dacapo worker takes its loops; dacapo fleet submit "PROMPT" --repo URL --ref REF gives it one.',
      );
    return EXIT.ok;
  });
}

type LimitOptions = FleetOptions & Given<never, 'account' | 'maxLoops' | 'maxCallsPerHour' | 'maxCostPerDay'>;

export async function runLimits(options: LimitOptions): Promise<number> {
  const { account } = options;
  const given = {
    max_loops: limit('--max-loops', options.maxLoops, readCount),
    max_calls_per_hour: limit('--max-calls-per-hour', options.maxCallsPerHour, readCount),
    max_cost_per_day: limit('--max-cost-per-day', options.maxCostPerDay, readCost),
  };
  for (const read of Object.values(given)) if (read?.ok === false) return failFor(read, EXIT.usage);
  const values = Object.fromEntries(
    Object.entries(given).map(([name, read]) => [name, read?.ok ? read.value : undefined]),
  );
  const sets = Object.values(given).some((read) => read !== undefined);
  return withFleet(options, async (database) => {
    if (sets) await database.transaction((sql) => setLimits(sql, account ?? 'default', values));
    const accounts = await readLimits(database, account ?? null);
    if (options.json) sayJson(accounts);
    else say(...table([HEADING.map((word) => paint.dim(word)), ...accounts.map(row)]).map(verbatim));
    return EXIT.ok;
  });
}

const HEADING = ['ACCOUNT', 'LOOPS AT ONCE', 'CALLS PER HOUR', 'USD PER DAY'];

function row({ account, max_loops, max_calls_per_hour, max_cost_per_day }: AccountLimits): string[] {
  return [account, ...[max_loops, max_calls_per_hour, max_cost_per_day].map((most) => String(most ?? '–'))];
}

function limit(
  flag: string,
  text: string | undefined,
  read: (text: string) => Reading<number>,
): Reading<number | null> | undefined {
  if (text === undefined) return undefined;
  if (text === 'off') return { ok: true, value: null };
  const value = read(text);
  return value.ok ? value : { ...value, message: `${flag} ${value.message}` };
}
