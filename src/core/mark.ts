/** The mark of a work tree: what stood there at one moment, small enough for the journal. Plain data, and how two are compared. */
import { flag, list, oneOf, orNull, record, text, type Infer, type Shape } from './shape.ts';

/** More changed files than this are not named in a mark; its digest covers them all the same. */
const MOST_DIRTY = 500;
/** So are long names: a mark stands in a journal line. */
const MOST_CHARACTERS = 50_000;

/** A file as seen from the project, and what stands for its content; an empty one: it was deleted. */
export type Identified = readonly [path: string, identity: string];
const identified: Shape<Identified> = (value): value is Identified =>
  Array.isArray(value) && value.length === 2 && value.every((item) => text(item));

export const treeMark = record({
  /** How it was taken: marks of two kinds can't be compared. */
  kind: oneOf('git', 'folder'),
  /** The commit that was checked out; null: none yet, or no repository. */
  head: orNull(text),
  /** Of every file's name and content: the same digest, the same work tree. */
  digest: text,
  /** What differed from `head`; without a repository, all files. */
  dirty: list(identified),
  /** There were more than `dirty` holds. */
  cut: flag,
});
export type TreeMark = Infer<typeof treeMark>;

export function makeMark(
  kind: TreeMark['kind'],
  head: string | null,
  digest: string,
  dirty: readonly Identified[],
): TreeMark {
  const kept: Identified[] = [];
  let left = MOST_CHARACTERS;
  for (const item of dirty) {
    left -= item[0].length + item[1].length;
    if (kept.length === MOST_DIRTY || left < 0) break;
    kept.push(item);
  }
  return { kind, head, digest, dirty: kept, cut: kept.length < dirty.length };
}

/** Has nothing changed between the two? A commit of what was there already is no change. */
export function isSameTree(a: TreeMark, b: TreeMark): boolean {
  return a.kind === b.kind && a.digest === b.digest;
}

/** What a file was in one commit, and is in another. */
export interface CommitDifference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Stands for a content that is the same in both commits. */
const COMMITTED = 'committed';

/** Which files differ, given what their commits differ in. Both marks must be whole. */
export function modifiedBetween(
  then: readonly Identified[],
  now: readonly Identified[],
  commits: readonly CommitDifference[],
): string[] {
  const [old, fresh] = [new Map(then), new Map(now)];
  const moved = new Map(commits.map((difference) => [difference.path, difference]));
  const paths = new Set([...old.keys(), ...fresh.keys(), ...moved.keys()]);
  return [...paths]
    .filter(
      (path) =>
        (old.get(path) ?? moved.get(path)?.before ?? COMMITTED) !==
        (fresh.get(path) ?? moved.get(path)?.after ?? COMMITTED),
    )
    .toSorted();
}
