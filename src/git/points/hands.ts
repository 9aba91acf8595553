/** Who changed which files since a recorded point: the loop, or somebody else. */
import { pathsBetween } from './differences.ts';
import type { Point } from './points.ts';
import type { Repository } from '../repository.ts';
import { gapsAfter, readStretches } from './stretches.ts';

export interface Hands {
  readonly loop: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/**
 * Which files the loop changed since a point, and which somebody else changed. Returns null if a tree of that time is
 * lost.
 */
export async function handsSince(
  repository: Repository,
  target: Point,
  /** The tree of the present work tree. */
  now: string,
  store: string,
): Promise<Hands | null> {
  const stretches = readStretches(store).slice(target.stretches);
  const begun = stretches[0]?.from.tree ?? now;
  const loop = await pathsBetween(
    repository,
    stretches.map(({ from, to }) => [from.tree, to]),
  );
  const others = await pathsBetween(repository, [[target.tree, begun], ...gapsAfter(stretches, now)]);
  return 'has' in loop && 'has' in others ? { loop, others } : null;
}
