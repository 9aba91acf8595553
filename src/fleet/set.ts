/**
 * A set on a fleet, as its submitter sees it. Its record is that of the fleet: the row of a loop names the
 * set and the item, and the id of the loop follows from both, so a submitter that is begun again makes no
 * second one. Work travels by the branches of the loops, to and from a work tree of this repository for each
 * item.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '#base/hash.ts';
import { planOf, type Loop } from '#law/loop.ts';
import type { Granted, Refusal } from '#base/refusal.ts';
import { isId, record } from '#base/shape.ts';
import { saidBy } from '#evidence/git/git.ts';
import { operand, operands } from '#evidence/git/words.ts';
import { FETCH, PUSH, withRelay } from '#evidence/git/relay.ts';
import { heard, obeyed, openRepository } from '#evidence/git/repository.ts';
import { isLanded } from '#evidence/git/worktree/merge.ts';
import { discardWorktree, makeWorktree, worktreePath } from '#evidence/git/worktree/worktree.ts';
import { setUpWorktree } from '#engine/begin/run-git.ts';
import type { ItemOrder, ItemSet, SetItem } from '#engine/sets/set.ts';
import type { Runtime } from '#store/runtime.ts';
import { submittedRequest } from './codec/loop-row.ts';
import { commit, fitRow, UnfitRecord } from './codec/rows.ts';
import type { Database } from './database/database.ts';
import { readFiles } from './lease.ts';
import { loadLoop, pendingLoop } from './memory.ts';
import { readRecord } from './record.ts';
import { submit, type Submission } from './submit.ts';
import { refuseGit } from './worker/clone.ts';

export interface FleetSet {
  readonly set: ItemSet;
  readonly database: Database;
  /** What every loop is submitted with. */
  readonly given: Omit<Submission, 'ref' | 'branch' | 'commits'>;
  /** Da Capo's home, which has a folder for work trees. */
  readonly home: string;
  /** Its store has the loops of the set, as the fleet last told. */
  readonly runtime: Runtime;
  /** Those that can't be read, by their ids. */
  readonly unfit: Map<string, Refusal>;
}

/** All of its loops, or this one. Those that can't be read are known after it. */
export async function loadLoops({ database, runtime, set, unfit }: FleetSet, one: string | null = null) {
  const rows = await database.query<{ id: string; request: unknown }>(
    `select id, request from dacapo.loop
     where request->'plan'->'part'->>'set' = $1 and ($2::text is null or id = $2)`,
    [set.id, one],
  );
  for (const row of rows) {
    runtime.store.remove(row.id);
    unfit.delete(row.id);
    try {
      const { id, request } = fitRow(rowOfSet, row, 'its row');
      const { events } = await readRecord(database, id);
      if (events.length === 0) pendingLoop(id, request, runtime, set.project);
      else loadLoop(events, await readFiles(database, id), runtime, set.project);
    } catch (error) {
      if (!(error instanceof UnfitRecord)) throw error;
      unfit.set(row.id, error.refusal);
    }
  }
}

const rowOfSet = record({ id: isId, request: submittedRequest });

/** The last loop of an item, placed in the work tree that all loops of the item share here. */
export function loopHere({ home }: FleetSet, loops: readonly Loop[]): Loop | undefined {
  const [first, last] = [loops[0], loops.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const plan = { ...planOf(last), branch: branchOf(first.id) };
  return { ...last, project: worktreePath(home, first.id), run: { ...last.run, plan } };
}

function branchOf(id: string): string {
  return `dacapo/${id}`;
}

/**
 * Gives the fleet the loop `nth` of an item. It begins with `from`, as this folder's repository has it, which
 * becomes the loop's branch.
 */
export async function submitItem(
  { set, database, given, runtime, unfit }: FleetSet,
  { item, order, nth }: { item: SetItem; order: ItemOrder; nth: number },
  from: { readonly at: string; readonly commit: string },
): Promise<Granted<{ id: string }>> {
  const id = `RALPH_${set.id}_${hash([item.id, nth].join('\n')).slice(0, 12)}`;
  const refused = unfit.get(id);
  if (refused !== undefined) return refused;
  const branch = branchOf(id);
  const repository = await openRepository(from.at);
  if (!repository.ok) return repository;
  const found = await repository.ask(['rev-parse', '--verify', operand(`${from.commit}^{commit}`)]);
  const commit = heard(found, 'no-commit', `${from.commit} could not be read`);
  if (typeof commit !== 'string') return commit;
  const pushed = await withRelay({ repository }, (ask) =>
    ask([...PUSH, operand(given.repo), `+${commit.trim()}:refs/heads/${branch}`]),
  );
  if (saidBy(pushed) === null) return refuseGit(`Branch ${branch} could not be pushed`, pushed);
  const request = { host: given.request.host, request: order.request, plan: order.plan };
  await submit(database, { ...given, request, ref: branch, branch, commits: true }, id);
  pendingLoop(id, request, runtime, set.project);
  return { ok: true, id };
}

/**
 * Brings what the last loop of an item has done into the item's work tree. `landed`: all of it is merged
 * already.
 */
export async function bringWork(
  fleet: FleetSet,
  loops: readonly Loop[],
  show: (text: string) => void,
  runtime: Runtime,
): Promise<Refusal | 'landed' | null> {
  const { set, database, given } = fleet;
  const [id, loop] = [loops[0]?.id, loopHere(fleet, loops)];
  if (id === undefined || loop === undefined) return 'landed';
  const work = { loop: loop.id, branch: branchOf(id), tree: loop.project };
  if (await isLanded(set.project, work, set.onto)) return 'landed';
  const rows = await database.query<{ head: string }>(
    `select head from dacapo.loop where id = any($1) and head is not null order by array_position($1, id)`,
    [loops.map((one) => one.id)],
  );
  const unfit = rows.find(({ head }) => !commit(head));
  if (unfit !== undefined)
    return new UnfitRecord(id, 'the commit of its branch was not written by Da Capo').refusal;
  const [first, last] = [rows[0]?.head, rows.at(-1)?.head];
  if (first === undefined || last === undefined) return 'landed';
  const repository = await openRepository(set.project);
  if (!repository.ok) return repository;
  const into = repository.objects;
  for (const head of new Set([first, last])) {
    const fetched = await withRelay({ repository, into }, (ask) =>
      ask([...FETCH, ...operands(given.repo, head)]),
    );
    if (saidBy(fetched) === null) return refuseGit('Its work could not be fetched', fetched);
  }
  const refused = await makeReady(fleet, { loop: id, at: first }, show, runtime);
  if (refused !== null) return refused;
  const tree = await openRepository(loop.project);
  if (!tree.ok) return tree;
  const moved = await tree.ask(['merge', '--ff-only', '--no-autostash', '-q', operand(last)]);
  return obeyed(moved, 'in-the-way', `Its work tree ${loop.project} could not be updated with its work`);
}

/** In git's folder of a work tree that is complete and set up. One that is not was never shown to anybody. */
const READY = 'dacapo-ready';

async function makeReady(
  { set: { project }, given: { setup }, home }: FleetSet,
  { loop, at }: { readonly loop: string; readonly at: string },
  show: (text: string) => void,
  runtime: Runtime,
): Promise<Refusal | null> {
  const path = worktreePath(home, loop);
  const there = await openRepository(path);
  if (there.ok && existsSync(join(there.gitDir, READY))) return null;
  await discardWorktree(project, { path, branch: branchOf(loop), begun: at });
  const made = await makeWorktree({ project, loop, home }, branchOf(loop), undefined, at);
  if (!made.ok) return made;
  const done = setup === null ? null : await setUpWorktree(setup, path, show, runtime);
  const tree = done?.ok === false ? done : await openRepository(path);
  if (tree.ok) writeFileSync(join(tree.gitDir, READY), '');
  else await discardWorktree(project, made);
  return tree.ok ? null : tree;
}
