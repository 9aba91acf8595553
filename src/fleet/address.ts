/** Which fleet is meant: `--database URL`, else `DACAPO_FLEET`, else the file that `dacapo fleet init` has written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maybe, readAs, record, text } from '../core/shape.ts';
import { refuse } from '../core/refusal.ts';
import type { Environment } from '../hosts/arrival.ts';
import { FLEET_VARIABLE } from '../process/database-variables.ts';
import { replaceFile } from '../store/file/home.ts';

const file = record({ database: maybe(text) });

export type Address = Extract<ReturnType<typeof findAddress>, { ok: true }>;

/** `shown`: without its password, for people. */
export function findAddress(given: string | undefined, env: Environment, home: string) {
  const url = given ?? (env[FLEET_VARIABLE] || kept(home));
  const next = `Give --database postgres://USER:PASSWORD@HOST/DATABASE, or set ${FLEET_VARIABLE} to it.`;
  if (!url) return refuse('no-fleet', 'No database of a fleet is named.', next);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol))
    return refuse('bad-fleet', 'The database of the fleet is not named by a URL of Postgres.', next);
  const { username, host, pathname } = parsed;
  return { ok: true as const, url, shown: `postgres://${username && `${username}@`}${host}${pathname}` };
}

/** Only this user may read the file, as it may hold a password. */
export function keepAddress({ url }: Address, home: string): void {
  replaceFile(join(home, 'fleet.json'), `${JSON.stringify({ database: url })}\n`);
}

function kept(home: string): string | undefined {
  return readAs(file, () => readFileSync(join(home, 'fleet.json'), 'utf8'))?.database;
}
