/** A loop whose record can't be read is stopped in its row alone: nothing is appended to what nobody can read. */
import type { Sql } from './database.ts';

/** Nobody takes it any more. The caller fences its worker, or is it. */
export async function stopUnread(
  sql: Sql,
  id: string,
  status: 'interrupted' | 'cancelled',
  reason: string,
): Promise<void> {
  await sql.query(
    `update dacapo.loop set status = $2, ready_at = null, waits_for = null, worker = null, lease_until = null,
       report = report || jsonb_build_object('status', $2::text, 'reason', $3::text), updated_at = now()
     where id = $1`,
    [id, status, reason],
  );
}
