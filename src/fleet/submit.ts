/**
 * Gives a loop to the fleet. Nothing is begun: the first worker that takes it does that, in the tree where it
 * will work.
 */
import { framesOf } from '#law/loop.ts';
import { randomBytes } from 'node:crypto';
import { sha256 } from '#base/files/sha256.ts';
import type { SubmittedRequest } from './codec/loop-row.ts';
import type { Database } from './database/database.ts';
import { knowAccount } from './limits.ts';
import { memoryRuntime, pendingLoop } from './memory.ts';
import { summaryOf } from './record.ts';
import { notifyReady } from './database/words.ts';

export interface Submission {
  readonly request: SubmittedRequest;
  readonly repo: string;
  readonly ref: string;
  readonly needs: readonly string[];
  readonly account: string;
  readonly setup: string | null;
  /** Where points go, if not to the repository. */
  readonly points: string | null;
  readonly priority: number;
  /** With `--commit`: where the commits go. Null: on a branch of the loop's own. */
  readonly branch: string | null;
  readonly commits: boolean;
}

/** An id that is there already is the same loop. */
export async function submit(database: Database, given: Submission, id = newId()): Promise<string> {
  const { branch, commits, ...rest } = given;
  const open = pendingLoop(id, given.request, memoryRuntime());
  const { report, status } = summaryOf(open, memoryRuntime());
  const gates = framesOf(open.loop()).flatMap((frame) => frame.gates);
  const reviewers = gates.flatMap((gate) => (gate.kind === 'review' ? [gate.host] : []));
  const row = {
    ...rest,
    id,
    name: report.name,
    hosts: [...new Set([given.request.host, ...reviewers])],
    branch: branch ?? (commits ? `dacapo/${id}` : null),
    status,
    report: { ...report, project: given.repo },
  };
  const columns = Object.keys(row);
  await database.transaction(async (sql) => {
    await knowAccount(sql, given.account);
    await sql.query(
      `insert into dacapo.loop (${columns.join()}) values (${columns.map((_, k) => `$${k + 1}`).join()})
       on conflict do nothing`,
      Object.values(row),
    );
    await notifyReady(sql, id);
  });
  return id;
}

/** The same key is the same loop, whatever submits it again. */
export function idOfKey(key: string): string {
  return `RALPH_KEY_${sha256(key).slice(0, 20)}`;
}

function newId(): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  return `RALPH_${day}_${randomBytes(6).toString('hex')}`;
}
