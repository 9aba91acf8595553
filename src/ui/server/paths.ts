/** The parts of a path. */

/** `/api/loops/ID/WHAT/NAME`, and the same with `requests`. */
export function partsOf(path: string, wanted: 'loops' | 'requests' = 'loops'): (string | undefined)[] {
  const [, , kind, ...rest] = path.split('/');
  return kind === wanted ? rest.map(decoded) : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
