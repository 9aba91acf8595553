/**
 * Groups a list in one pass. A list may have a hundred thousand entries in one group, so no group is ever
 * copied.
 */
export function groupBy<T, K>(ones: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of ones) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
