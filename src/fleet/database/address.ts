/**
 * Which fleet is meant: `--database URL`, else `DACAPO_FLEET`, else the file that `dacapo fleet init` has
 * written.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maybe, readAs, record, text, type Infer } from '#base/shape.ts';
import { refuse } from '#base/refusal.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { FLEET_VARIABLE } from '#base/process/database-variables.ts';
import { replaceFile } from '#store/file/home.ts';

/** `worker`: for workers alone, with the rights of a worker. */
const file = record({ database: maybe(text), worker: maybe(text) });
type KeptAddresses = Infer<typeof file>;

export type Address = Extract<ReturnType<typeof findAddress>, { ok: true }>;

/**
 * `shown`: without its password, for people. `who`: a worker has an address of its own, if `init` could make
 * one.
 */
export function findAddress(
  given: string | undefined,
  env: Environment,
  home: string,
  who: 'person' | 'worker' = 'person',
) {
  const { database, worker } = keptIn(home);
  const url = given ?? (env[FLEET_VARIABLE] || (who === 'worker' ? (worker ?? database) : database));
  const next = `Give --database postgres://USER:PASSWORD@HOST/DATABASE, or set ${FLEET_VARIABLE} to it.`;
  if (!url) return refuse('no-fleet', 'No fleet database is configured.', next);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol))
    return refuse('bad-fleet', 'The fleet database is not a Postgres URL.', next);
  const { username, host, pathname } = parsed;
  return { ok: true as const, url, shown: `postgres://${username && `${username}@`}${host}${pathname}` };
}

/**
 * Only this user may read the file, as it may hold passwords. `worker`: null leaves the one of the same
 * database.
 */
export function keepAddress({ url }: Address, worker: string | null, home: string): void {
  const before = keptIn(home);
  const kept = worker ?? (isSameDatabase(before.worker, url) ? before.worker : undefined);
  replaceFile(fileOf(home), `${JSON.stringify({ database: url, worker: kept })}\n`);
}

export function fileOf(home: string): string {
  return join(home, 'fleet.json');
}

function keptIn(home: string): KeptAddresses {
  return readAs(file, () => readFileSync(fileOf(home), 'utf8')) ?? {};
}

function isSameDatabase(one: string | undefined, other: string): boolean {
  if (one === undefined || !URL.canParse(one) || !URL.canParse(other)) return false;
  const [a, b] = [new URL(one), new URL(other)];
  return a.host === b.host && a.pathname === b.pathname;
}
