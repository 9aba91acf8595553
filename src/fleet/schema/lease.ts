/** How long a worker may be silent before another one takes its loops: one setting for the whole fleet. */
import type { Sql } from '../database/database.ts';

/** A busy worker may be silent for a moment. */
export const MIN_LEASE_SECONDS = 10;

export async function readLeaseSeconds(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ lease_seconds: number }>('select lease_seconds from dacapo.setting');
  if (row === undefined) throw new Error('The fleet has no setting. Run dacapo fleet init.');
  return row.lease_seconds;
}
