/** Finds the line of an error or a value in a JSON text, for a person or an agent who has to correct it. */
import { errorMessage } from '../core/thrown.ts';

/** Why it is not JSON, with the line. The wording comes from the engine and differs from version to version. */
export function sayBroken(content: string, error: unknown): string {
  const words = errorMessage(error);
  const at = /\bat position (\d+)/.exec(words)?.[1];
  const plain = words
    .replace(/ (?:in JSON )?at position \d+.*$/s, '')
    .replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, '');
  return `line ${lineAt(content, at === undefined ? brokenAt(content) : Number(at))}: ${plain}`;
}

const TOKEN = /\s*("(?:[^"\\\n\r\t]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:])/y;

/** Where the text stops being JSON. The engine does not tell for an unexpected token, nor for an end too early. */
function brokenAt(content: string): number {
  /** The closing brackets that are awaited, the innermost last. */
  const open: string[] = [];
  let wanted: 'value' | 'key' | 'colon' | 'comma' = 'value';
  /** Whether a bracket has just been opened, so that it may close at once. */
  let fresh = false;
  const token = new RegExp(TOKEN);
  let end = 0;
  for (let found = token.exec(content); found !== null; found = token.exec(content)) {
    const [, sign = ''] = found;
    const at = token.lastIndex - sign.length;
    const closes = sign === '}' || sign === ']';
    if (closes) {
      if (sign !== open.at(-1) || !(fresh || wanted === 'comma')) return at;
      open.pop();
      wanted = 'comma';
    } else if (wanted === 'value') {
      if (sign === ',' || sign === ':') return at;
      if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
      wanted = sign === '{' ? 'key' : sign === '[' ? 'value' : 'comma';
    } else if (wanted === 'key') {
      if (!sign.startsWith('"')) return at;
      wanted = 'colon';
    } else if (wanted === 'colon') {
      if (sign !== ':') return at;
      wanted = 'value';
    } else {
      if (sign !== ',' || open.length === 0) return at;
      wanted = open.at(-1) === '}' ? 'key' : 'value';
    }
    fresh = sign === '{' || sign === '[';
    end = token.lastIndex;
  }
  const rest = content.slice(end).search(/\S/);
  // Whatever is missing is missing at the end.
  return rest === -1 ? content.trimEnd().length : end + rest;
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
