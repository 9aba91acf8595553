/** Where a here-document ends. */

export function documentEnd(
  line: string,
  from: number,
  word: string,
  tabs: boolean,
): { body: number; after: number } {
  for (let at = from; at < line.length;) {
    const end = indexOr(line, '\n', at);
    const text = line.slice(at, end).replace(/\r$/, '');
    if ((tabs ? text.replace(/^\t+/, '') : text) === word) return { body: at, after: end + 1 };
    at = end + 1;
  }
  return { body: line.length, after: line.length };
}

/** The end of the line where it is nowhere. */
export function indexOr(line: string, wanted: string, from: number): number {
  const at = line.indexOf(wanted, from);
  return at === -1 ? line.length : at;
}
