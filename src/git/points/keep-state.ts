/**
 * Puts everything into the loop's store that a later return to this work tree needs. Git stores no object that the
 * user's repository already has. What HEAD holds stays there. Git may collect anything else at any time (what is only
 * staged, what a stash holds), so we copy it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Refusal } from '../../core/refusal.ts';
import { saidBy } from '../git.ts';
import { ABSENT, GITLINK, rawDifference, readDifferences } from '../lists.ts';
import { copyIndex, withTemporaryIndex, writeTree, type Snapshot } from '../marks/snapshot.ts';
import { refusePlainly, type Repository } from '../repository.ts';
import type { TreeState } from './work-spans.ts';

/** Up to this many objects, it is faster to look for their files than to start git. */
const LOOKED_FOR = 1_000;

/** `known`: a state that this store holds. If the work tree is in the same one, there is nothing to copy. */
export async function keepState(
  repository: Repository,
  snapshot: Snapshot,
  store: string,
  known: TreeState | null,
): Promise<TreeState | Refusal> {
  const { tree } = snapshot;
  const { head } = repository;
  const isKept = known !== null && known.tree === tree && known.head === head;
  const [refused, staged] = await Promise.all([
    isKept ? null : keepObjects(repository, tree, store),
    stagedTree(repository, snapshot),
  ]);
  return refused ?? { tree, head, staged };
}

export async function keepObjects(
  repository: Repository,
  tree: string,
  store: string,
): Promise<Refusal | null> {
  const { ask, head, nothing } = repository;
  const listed = await ask(rawDifference(head ?? nothing, tree, '-t'));
  const out = saidBy(listed);
  if (out === null) return refusePlainly('tree', 'The tree could not be read', listed);
  const changed = readDifferences(out).filter(({ to }) => to.mode !== ABSENT && to.mode !== GITLINK);
  const wanted = notInFiles([...new Set([tree, ...changed.map(({ to }) => to.oid)])], store);
  if (wanted.length === 0) return null;
  const checked = await ask(['cat-file', '--batch-check'], {
    env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: '' },
    input: wanted.map((id) => `${id}\n`).join(''),
  });
  const found = saidBy(checked);
  if (found === null) return refusePlainly('tree', "The loop's own objects could not be read", checked);
  const missing = found.match(/^[0-9a-f]+(?= missing$)/gm) ?? [];
  if (missing.length === 0) return null;
  const packed = await ask(['pack-objects', '-q', join(store, 'objects', 'pack', 'pack')], {
    input: missing.map((id) => `${id}\n`).join(''),
  });
  return saidBy(packed) === null ? refusePlainly('tree', 'The files could not be recorded', packed) : null;
}

/** Git has just written most of them, each into a file of its own. The others may be in a pack. */
function notInFiles(ids: readonly string[], store: string): readonly string[] {
  if (ids.length > LOOKED_FOR) return ids;
  return ids.filter((id) => !existsSync(join(store, 'objects', id.slice(0, 2), id.slice(2))));
}

/** Returns null if the index is in conflict, since it is not a tree then. */
async function stagedTree(repository: Repository, { tree, isStaged }: Snapshot): Promise<string | null> {
  if (isStaged) return tree;
  const staged = await withTemporaryIndex((index) => writeTree(repository, copyIndex(repository, index)));
  return typeof staged === 'string' ? staged : null;
}
