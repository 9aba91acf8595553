/** What differs between two trees or commits. */
import type { Refusal } from '../../core/refusal.ts';
import { saidBy } from '../git.ts';
import { rawDifference, readDifferences, type Difference } from '../lists.ts';
import { refusePlainly, type Repository } from '../repository.ts';
import type { Pair } from './stretches.ts';

export async function differences(
  { ask }: Repository,
  from: string,
  to: string,
): Promise<readonly Difference[] | Refusal> {
  const answer = await ask(rawDifference(from, to));
  const out = saidBy(answer);
  return out === null
    ? refusePlainly('tree', 'Two states could not be compared', answer)
    : readDifferences(out);
}

/** All paths that differ between the two of any pair. */
export async function pathsBetween(
  repository: Repository,
  pairs: readonly Pair[],
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
