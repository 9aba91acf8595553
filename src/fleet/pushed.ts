/**
 * The commits that a loop has pushed to its branch. Each is written down before its push, while the loop is still its
 * worker's: so what a dead or cut-off worker leaves on the branch is known as the loop's own, and everything else there,
 * such as the same commit amended, rebased or picked by a person, is not.
 */
import type { Database } from './database.ts';
import { lockOwn, type LoopHold } from './ship.ts';

export interface BranchPush {
  /** What the branch has now; null: there is no such branch. */
  readonly from: string | null;
  readonly to: string;
}

/** `lost`: the loop is another's, or nobody's. `foreign`: somebody else has pushed what the branch has now. */
export type PushPermit = 'ours' | 'lost' | 'foreign';

/** `known`: commits that the branch may have without a push of this loop, as it began with them. */
export function permitPush(
  database: Database,
  hold: LoopHold,
  { from, to }: BranchPush,
  known: readonly (string | null)[],
): Promise<PushPermit> {
  return database.transaction(async (sql) => {
    if ((await lockOwn(sql, hold)) === null) return 'lost';
    const [own] = await sql.query('select 1 from dacapo.pushed where loop = $1 and sha = $2', [
      hold.id,
      from,
    ]);
    if (from !== null && own === undefined && !known.includes(from)) return 'foreign';
    await sql.query('insert into dacapo.pushed (loop, sha) values ($1, $2) on conflict do nothing', [
      hold.id,
      to,
    ]);
    return 'ours';
  });
}
