/** Finds the line of an error or a value in a JSON text, for a person or an agent who has to correct it. */

/** Why it is not JSON, with the line. The wording comes from the engine and differs from version to version. */
export function sayBroken(content: string, error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const at = /\bat position (\d+)/.exec(words)?.[1];
  const plain = words.replace(/ (?:in JSON )?at position \d+.*$/s, '');
  // "Unexpected end" has no position: whatever is missing is missing at the end.
  return `line ${lineAt(content, at === undefined ? content.trimEnd().length : Number(at))}: ${plain}`;
}

function lineAt(content: string, position: number): number {
  let line = 1;
  for (let at = content.indexOf('\n'); at !== -1 && at < position; at = content.indexOf('\n', at + 1)) line++;
  return line;
}

/** Maps the path of each value (keys and indexes joined by slashes) to the line on which it begins. For valid JSON. */
export function linesOf(content: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  /** The open containers: the path of each, and the key or index of its next value. */
  const open: { readonly path: string; next: string | number }[] = [];
  let line = 1;
  for (const [token] of content.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|\n|[^\s"{}[\],:]+/g)) {
    const within = open.at(-1);
    if (token === '\n') line++;
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (typeof within?.next === 'number') within.next++;
    } else if (token !== ':') {
      const path = within === undefined ? '' : `${within.path}/${within.next}`;
      if (token === '{') open.push({ path, next: '' });
      else if (token === '[') open.push({ path, next: 0 });
      else if (typeof within?.next === 'string') within.next = keyOf(token);
      if (!lines.has(path)) lines.set(path, line);
    }
  }
  return lines;
}

function keyOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
