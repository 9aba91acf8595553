/**
 * Commits what one iteration changed. Files that were dirty before the pass belong to the person and stay
 * out, unless asked for; staged changes stay staged. We build the commit beside the index, then move the
 * branch to it, and refuse if the branch has moved meanwhile. No git hook runs: hooks are programs of the
 * project that the person has not agreed to run unattended, and one that prompts or fails would block the
 * loop. The commit is not signed, because signing may prompt a person.
 */
import { isRefusal, refuse, type Refusal } from '#base/refusal.ts';
import { bytesOf, readable, saidBy } from '../git.ts';
import { operand, operands } from '../words.ts';
import { differences, entryAfter, isDeletion, pathsBetween } from '../lists.ts';
import type { Difference, TreePair } from '../lists.ts';
import type { TreeState } from './work-spans.ts';
import { heard, obeyed, openRepository, refuseOperation, refusePlainly } from '../repository.ts';
import { withIndex, withStore, type Repository } from '../repository.ts';
import { addFiles, withSnapshot, withTemporaryIndex, writeIndex, writeTree } from '../marks/snapshot.ts';
import type { LoopTree, Snapshot } from '../marks/snapshot.ts';

export interface CommitOrder extends LoopTree {
  readonly before: TreeState;
  /** What differs between the two of a pair was changed by somebody else too. */
  readonly foreignChanges?: readonly TreePair[];
  readonly message: string;
  readonly includeDirty?: boolean;
}

export interface LeftOutFile {
  readonly path: string;
  /** `dirty-before`: the person had changed it, too. `not-recorded`: large, a repository, or filtered. */
  readonly why: 'dirty-before' | 'not-recorded';
}

export type Committed = Exclude<Awaited<ReturnType<typeof commitPass>>, Refusal>;

/** Another run in the same repository may commit at the same moment, more than once. */
const MAX_COMMIT_TRIES = 3;
const MOVED = 'moved';

export async function commitPass(order: CommitOrder) {
  for (let n = 1; ; n++) {
    const made = await commitOnce(order);
    if (made.ok || made.code !== MOVED || n === MAX_COMMIT_TRIES) return made;
  }
}

async function commitOnce(order: CommitOrder) {
  const repository = await openRepository(order.project);
  if (!repository.ok) return repository;
  if (repository.operation !== null) return refuseOperation(repository.operation);
  const kept = withStore(repository, order.store);
  return withSnapshot(kept, order.ignored ?? [], (now) => commit(repository, kept, now, order));
}

/**
 * `kept` has the loop's store, and is used for comparing. The commit itself is written to the repository
 * alone.
 */
async function commit(repository: Repository, kept: Repository, now: Snapshot, order: CommitOrder) {
  const point = order.before;
  const begun = point.head ?? repository.nothing;
  const staged: readonly TreePair[] = point.staged === null ? [] : [[begun, point.staged]];
  const [open, inPass, dirtyBefore] = await Promise.all([
    differences(kept, repository.head ?? repository.nothing, now.tree),
    pathsBetween(kept, [[point.tree, now.tree]]),
    pathsBetween(kept, [[begun, point.tree], ...staged, ...(order.foreignChanges ?? [])]),
  ]);
  if (isRefusal(open)) return open;
  if (isRefusal(inPass)) return inPass;
  if (isRefusal(dirtyBefore)) return dirtyBefore;

  const changed = open.filter(({ path }) => order.includeDirty === true || inPass.has(path));
  const isPersons = ({ path }: Difference) => order.includeDirty !== true && dirtyBefore.has(path);
  const chosen = changed.filter((one) => !isPersons(one));
  const leftOut: LeftOutFile[] = [
    ...changed.filter(isPersons).map(({ path }) => leftOutFile(path, 'dirty-before')),
    ...now.leftAlone.map((path) => leftOutFile(path, 'not-recorded')),
  ];
  if (chosen.length === 0) return { ok: true as const, is: 'nothing' as const, leftOut };
  const sha = await write(repository, chosen, order.message);
  if (typeof sha !== 'string') return sha;
  const files = chosen.map(({ path }) => readable(path));
  const { branch } = repository;
  return { ok: true as const, is: 'committed' as const, sha, branch, files, leftOut };
}

function leftOutFile(path: string, why: LeftOutFile['why']): LeftOutFile {
  return { path: readable(path), why };
}

async function write(repository: Repository, chosen: readonly Difference[], message: string) {
  const { ask, head } = repository;
  const nameless = await refuseNameless(repository);
  if (nameless !== null) return nameless;
  const made = await treeWith(repository, chosen);
  if (!made.ok) return made;
  const { tree, changes } = made;
  const onto = head === null ? [] : (['-p', operand(head)] as const);
  const answer = await ask(['commit-tree', '--no-gpg-sign', operand(tree), ...onto, '-F', '-'], {
    input: bytesOf(message),
  });
  const said = heard(answer, 'commit', 'The commit could not be written');
  if (typeof said !== 'string') return said;
  const sha = said.trim();

  // The index comes first: if we are killed here, the files are staged and nothing is lost.
  const staged = await writeIndex(repository, changes.map(entryAfter));
  if (staged !== null) return staged;
  const subject = message.split('\n', 1)[0] ?? '';
  const before = head ?? '0'.repeat(sha.length);
  const moved = await ask(['update-ref', '-m', `commit: ${subject}`, 'HEAD', ...operands(sha, before)]);
  if (saidBy(moved) !== null) return sha;
  const why =
    'Someone else committed in the meantime, so no commit was made; the files of this pass are staged.';
  return refuse(MOVED, why, '`git status` shows them.');
}

export async function refuseNameless({ ask }: Repository): Promise<Refusal | null> {
  // Otherwise git would make up a name from the host name.
  const named = await Promise.all(
    (['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT'] as const).map((who) =>
      ask(['-c', 'user.useConfigOnly=true', 'var', who]),
    ),
  );
  const silent = named.find(({ is }) => is === 'unanswered');
  if (silent !== undefined) return refusePlainly('commit', 'The commit could not be written', silent);
  if (named.every((answer) => saidBy(answer) !== null)) return null;
  const next = 'git config user.name "Your Name" && git config user.email you@example.org';
  return refuse('no-identity', 'git does not know who commits.', next);
}

/** HEAD with these changes. It reads the files again: the contents of the snapshot are in the store. */
function treeWith(repository: Repository, chosen: readonly Difference[]) {
  return withTemporaryIndex(async (index) => {
    const from = repository.head ?? repository.nothing;
    const own = withIndex(repository, index);
    const read = await own.ask(['read-tree', operand(from)]);
    const there = chosen.filter((one) => !isDeletion(one)).map(({ path }) => path);
    const refused =
      obeyed(read, 'tree', 'The commit could not be read') ??
      (await writeIndex(own, chosen.filter(isDeletion).map(entryAfter))) ??
      (await addFiles(own, there));
    if (refused !== null) return refused;
    const tree = await writeTree(own);
    if (typeof tree !== 'string') return tree;
    // If a file became a folder and only one of the two is chosen, git silently drops the other.
    const changes = await differences(repository, from, tree);
    if (isRefusal(changes)) return changes;
    const same = changes.length === chosen.length && changes.every(({ path }, i) => path === chosen[i]?.path);
    if (same) return { ok: true as const, tree, changes };
    return refuse(
      'tangled',
      'A file that was dirty before became a folder, or a folder a file: neither can be committed ' +
        'without the other.',
      'Commit this one yourself.',
    );
  });
}
