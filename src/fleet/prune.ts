/**
 * Removes ended loops from the record, and their saved states from the repositories. It keeps a loop that
 * still runs, that waits for a person, or whose work is on no branch, unless the caller asks for the last
 * kind.
 */
import { join } from 'node:path';
import { withScratch } from '#base/files/scratch.ts';
import { isId } from '#base/shape.ts';
import { git, saidBy, type AskGit } from '#evidence/git/git.ts';
import { operand } from '#evidence/git/words.ts';
import { NETWORK, NETWORK_MS, PUSH } from '#evidence/git/relay.ts';
import type { Database } from './database/database.ts';
import { address as isAddress } from './codec/rows.ts';

/** Few enough that each statement stays far below its time limit. */
const LOOPS_PER_STATEMENT = 20;

export interface OldLoop {
  readonly id: string;
  readonly status: string;
  readonly repo: string;
  readonly points: string | null;
  readonly point: string | null;
  readonly branch: string | null;
}

interface PruneOrder {
  readonly olderThanMs: number;
  /** Also loops whose work is nowhere but in their saved states. */
  readonly withWork: boolean;
}

/** The oldest first. */
export function findOldLoops(database: Database, { olderThanMs, withWork }: PruneOrder): Promise<OldLoop[]> {
  return database.query<OldLoop>(
    `select id, status, repo, points, point, branch from dacapo.loop
     where ready_at is null
       and status in ('completed', 'exhausted', 'stuck', 'escalated', 'cancelled', 'aborted')
       and updated_at < now() - make_interval(secs => $1) and ($2 or point is null or branch is not null)
     order by updated_at limit 10000`,
    [olderThanMs / 1_000, withWork],
  );
}

export interface PruneReport {
  readonly removed: readonly string[];
  /** Their repository could not be reached, so they stay. */
  readonly kept: readonly { readonly id: string; readonly why: string }[];
}

export async function pruneLoops(database: Database, old: readonly OldLoop[]): Promise<PruneReport> {
  const removed: string[] = [];
  const kept: { id: string; why: string }[] = [];
  for (let at = 0; at < old.length; at += LOOPS_PER_STATEMENT) {
    const gone: string[] = [];
    for (const loop of old.slice(at, at + LOOPS_PER_STATEMENT)) {
      const why = await removeStates(loop);
      if (why === null) gone.push(loop.id);
      else kept.push({ id: loop.id, why });
    }
    // Somebody may have resumed one meanwhile.
    const deleted = await database.query<{ id: string }>(
      `with gone as (delete from dacapo.loop where id = any($1) and ready_at is null returning id),
         news as (delete from dacapo.news where loop = any($1))
       select id from gone`,
      [gone],
    );
    removed.push(...deleted.map(({ id }) => id));
  }
  return { removed, kept };
}

/** Null: they are gone, or there were none. Otherwise why they could not be removed. */
async function removeStates({ id, repo, points, point }: OldLoop): Promise<string | null> {
  const remote = points ?? repo;
  if (point === null) return null;
  if (!isId(id) || !isAddress(remote)) return 'its row was not written by Da Capo';
  return withScratch('relay', async (folder) => {
    const bare = join(folder, 'empty.git');
    await git(['init', '--quiet', '--bare', operand(bare)], { at: folder });
    const ask: AskGit = (args) => git(args, { at: bare, env: { ...NETWORK, GIT_DIR: bare }, ms: NETWORK_MS });
    const listed = await ask(['ls-remote', operand(remote), `refs/dacapo/${id}/*`]);
    const lines = saidBy(listed);
    if (lines === null) return 'its repository could not be reached';
    const refs = lines.split('\n').flatMap((line) => line.split('\t')[1] ?? []);
    if (refs.length === 0) return null;
    const pushed = await ask([...PUSH, operand(remote), ...refs.map((ref) => `:${ref}` as const)]);
    return saidBy(pushed) === null ? 'its repository refuses to remove refs of Da Capo' : null;
  });
}
