/** The keys of a JSON object, by any usual spelling: `dependsOn`, `depends_on` and `DependsOn` are one. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function plainKey(key: string): string {
  return key.toLowerCase().replace(/[_\s-]/g, '');
}

/** Every key that has one of these names, in the order of the names. `names`: as `plainKey` gives them. */
export function keysIn(object: JsonObject, names: readonly string[]): string[] {
  const found = Object.keys(object).flatMap((key) => {
    const at = names.indexOf(plainKey(key));
    return at < 0 ? [] : [{ key, at }];
  });
  return found.toSorted((a, b) => a.at - b.at).map(({ key }) => key);
}
