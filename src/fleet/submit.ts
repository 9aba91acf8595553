/** Gives a loop to the fleet. Nothing is begun: the first worker that takes it does that, in the tree where it will work. */
import { randomBytes } from 'node:crypto';
import { say, type Database } from './database.ts';
import { knowAccount } from './limits.ts';
import { memoryRuntime, pendingLoop, type LoopRequest } from './memory.ts';
import { summaryOf } from './summary.ts';

export interface Submission {
  readonly request: LoopRequest;
  readonly repo: string;
  readonly ref: string;
  readonly needs: readonly string[];
  readonly account: string;
  readonly setup: string | null;
  readonly points: string | null;
  readonly priority: number;
  /** With `--commit`: where the commits go. Null: on a branch of the loop's own. */
  readonly branch: string | null;
  readonly commits: boolean;
}

export async function submit(database: Database, given: Submission): Promise<string> {
  const { request, repo, ref, needs, account, setup, points, priority, branch, commits } = given;
  for (;;) {
    const id = newId();
    const { report, status } = summaryOf(pendingLoop(id, request, memoryRuntime()), memoryRuntime());
    const made = await database.transaction(async (sql) => {
      await knowAccount(sql, account);
      const rows = await sql.query(
        `insert into dacapo.loop
           (id, account, name, repo, ref, needs, priority, setup, points, branch, request, status, report)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing returning id`,
        [
          id,
          account,
          report.name,
          repo,
          ref,
          needs,
          priority,
          setup,
          points,
          branch ?? (commits ? `dacapo/${id}` : null),
          request,
          status,
          { ...report, project: repo },
        ],
      );
      await say(sql, { is: 'ready' });
      return rows.length > 0;
    });
    if (made) return id;
  }
}

function newId(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  return `RALPH_${day}_${randomBytes(4).toString('hex')}`;
}
