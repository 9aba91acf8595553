/**
 * The commits that a loop has pushed to its branch. Each is recorded before its push, while the worker still
 * has the loop. So a commit that a dead or cut-off worker left on the branch is known as the loop's own, and
 * everything else there is not, such as the same commit amended, rebased or picked by a person.
 */
import type { Database } from './database/database.ts';
import { holdParameters, type LoopHold } from './ship.ts';

export interface BranchPush {
  /** What the branch has now; null: there is no such branch. */
  readonly from: string | null;
  readonly to: string;
}

/**
 * `lost`: the loop is another's, or nobody's. `foreign`: somebody else has pushed what the branch has now.
 */
export type PushPermit = 'ours' | 'lost' | 'foreign';

/** `known`: commits that the branch may have without a push of this loop, as it began with them. */
export async function permitPush(
  database: Database,
  hold: LoopHold,
  { from, to }: BranchPush,
  known: readonly (string | null)[],
): Promise<PushPermit> {
  const [row] = await database.transaction((sql) =>
    sql.query<{ permit: PushPermit }>('select dacapo.permit_push($1, $2, $3, $4, $5, $6) as permit', [
      ...holdParameters(hold),
      from,
      to,
      known.filter((sha) => sha !== null),
    ]),
  );
  return row?.permit ?? 'lost';
}
