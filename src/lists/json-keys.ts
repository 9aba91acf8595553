/** The keys of a JSON object, by any usual spelling: `dependsOn`, `depends_on` and `DependsOn` are one. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function plainKey(key: string): string {
  return key.toLowerCase().replace(/[_\s-]/g, '');
}

/** Names as `plainKey` gives them, in one line. */
export function keyNames(names: string): readonly string[] {
  return names.trim().split(/\s+/);
}

/** The items of a list share their keys, so each key is compared with the names once, not once per item. */
const KNOWN = new WeakMap<readonly string[], Map<string, number>>();
/** A file may have a key of its own for each item. */
const MOST_KNOWN = 2_000;

/** Every key that has one of these names, in the order of the names. `names`: a constant, as `plainKey` gives them. */
export function keysIn(object: JsonObject, names: readonly string[]): string[] {
  const known = KNOWN.get(names) ?? new Map<string, number>();
  if (known.size === 0) KNOWN.set(names, known);
  const found: { readonly key: string; readonly at: number }[] = [];
  for (const key of Object.keys(object)) {
    const at = known.get(key) ?? names.indexOf(plainKey(key));
    if (known.size < MOST_KNOWN) known.set(key, at);
    if (at >= 0) found.push({ key, at });
  }
  return found.length < 2
    ? found.map(({ key }) => key)
    : found.toSorted((a, b) => a.at - b.at).map(({ key }) => key);
}
