/** What differs between two trees or commits, and who changed it: the loop, or somebody else. */
import type { Refusal } from '../../core/refusal.ts';
import { rawDifference, readDifferences, type Difference } from '../lists.ts';
import { heard, type Repository, type StoredRepository } from '../repository.ts';
import type { Point } from './points.ts';
import { gapsAfter, readWorkSpans, type TreePair } from './work-spans.ts';

export async function differences(
  { ask }: Repository,
  from: string,
  to: string,
): Promise<readonly Difference[] | Refusal> {
  const out = heard(await ask(rawDifference(from, to)), 'tree', 'Two states could not be compared');
  return typeof out === 'string' ? readDifferences(out) : out;
}

export async function pathsBetween(
  repository: Repository,
  pairs: readonly TreePair[],
): Promise<ReadonlySet<string> | Refusal> {
  const paths = new Set<string>();
  for (const [from, to] of pairs) {
    if (from === to) continue;
    const found = await differences(repository, from, to);
    if (!isFound(found)) return found;
    for (const { path } of found) paths.add(path);
  }
  return paths;
}

export function isFound(value: readonly Difference[] | Refusal): value is readonly Difference[] {
  return Array.isArray(value);
}

export interface Hands {
  readonly loop: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/**
 * Which files the loop changed since a point, and which somebody else changed. Returns null if a tree of that time is
 * lost. `now`: the tree of the present work tree.
 */
export async function handsSince(
  repository: StoredRepository,
  target: Point,
  now: string,
): Promise<Hands | null> {
  const workSpans = readWorkSpans(repository.store).slice(target.stretches);
  const begun = workSpans[0]?.from.tree ?? now;
  const loop = await pathsBetween(
    repository,
    workSpans.map(({ from, to }) => [from.tree, to]),
  );
  const others = await pathsBetween(repository, [[target.tree, begun], ...gapsAfter(workSpans, now)]);
  return 'has' in loop && 'has' in others ? { loop, others } : null;
}
