/**
 * Points on the way between machines. A published point is a commit in a ref of another repository, shaped
 * like one of `git stash`: its tree is the work tree, its parents are what was checked out and what was
 * staged. Its id stands for the whole of it, so a reader that knows the id from the journal gets that point
 * or a refusal.
 */
import { join } from 'node:path';
import { isId, parseAs, record, text } from '#base/shape.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { bytesOf, readable, saidBy } from '../git.ts';
import { operand, operands } from '../words.ts';
import { obeyed, openRepository, withStore, type Repository } from '../repository.ts';
import type { LoopTree } from '../marks/snapshot.ts';
import { FETCH, PUSH, withRelay, type RelayOrder } from '../relay.ts';
import { readPoint, recordedPoint, storePoint, type Point } from './points.ts';

export interface Journey extends Pick<LoopTree, 'project' | 'store'>, Pick<RelayOrder, 'as'> {
  readonly remote: string;
  /** The ref there, such as `refs/dacapo/LOOP/EPOCH/N`. */
  readonly ref: string;
  readonly signal?: AbortSignal;
}

const named = record({ name: text });
const isPoint = (value: unknown): value is Point => recordedPoint(value) && named(value);

export async function publishPoint(
  { project, store, remote, ref, signal }: Journey,
  name: string,
): Promise<{ readonly ok: true; readonly commit: string } | Refusal> {
  const point = readPoint(store, name);
  if (point === null) return refuse('no-point', `There is no point ${name}.`, 'Record it first.');
  const opened = await openRepository(project);
  if (!opened.ok) return opened;
  const repository = withStore(opened, store);
  const commit = await wrap(repository, point);
  if (commit === null) return refuse('tree', `Point ${name} could not be read.`, 'Record it again.');
  const beside = [join(store, 'objects')];
  const pushed = await withRelay({ repository, beside, signal }, (ask) =>
    ask([...PUSH, ...operands(remote, `${commit}:${ref}`)]),
  );
  return obeyed(pushed, 'push', `Point ${name} could not be published`) ?? { ok: true, commit };
}

export async function fetchPoint(
  { project, store, remote, ref, signal, as = {} }: Journey,
  commit: string,
): Promise<(Point & { readonly ok: true }) | Refusal> {
  const opened = await openRepository(project);
  if (!opened.ok) return opened;
  const repository = withStore(opened, store);
  const into = join(store, 'objects');
  const fetched = await withRelay({ repository, into, signal, as }, (ask) =>
    ask([...FETCH, ...operands(remote, ref)]),
  );
  const refused = obeyed(fetched, 'fetch', 'The point could not be fetched');
  if (refused !== null) return refused;
  const said = saidBy(await repository.ask(['log', '-1', '--format=%b', operand(commit), '--']));
  const point = said === null ? null : parseAs(isPoint, readable(said));
  if (point === null || !isId(point.name))
    return refuse('no-point', `${remote} has no point ${commit} at ${ref}.`, 'Publish it again.');
  const { name, ...stored } = point;
  return { ok: true, ...storePoint(store, name, stored) };
}

/**
 * Always the same commit for the same point: neither clock nor user goes into it. `git log --all` shows its
 * subject.
 */
async function wrap({ ask }: Repository, point: Point): Promise<string | null> {
  const { tree, head, staged, at } = point;
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Da Capo'],
      [`GIT_${who}_EMAIL`, 'dacapo@localhost'],
      [`GIT_${who}_DATE`, at],
    ]),
  );
  const commit = async (of: string, message: string, parents: readonly (string | null)[]) =>
    saidBy(
      await ask(
        [
          'commit-tree',
          operand(of),
          ...parents.flatMap((one) => (one === null ? [] : (['-p', operand(one)] as const))),
        ],
        {
          env,
          input: bytesOf(message),
        },
      ),
    )?.trim() ?? null;
  const subject = `Da Capo: the files at point ${point.name}`;
  const index = await commit(staged ?? tree, `Da Capo: what was staged at point ${point.name}\n`, [head]);
  return index === null ? null : commit(tree, `${subject}\n\n${JSON.stringify(point)}\n`, [head, index]);
}
