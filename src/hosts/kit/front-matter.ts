/**
 * The keys at the top of a markdown file's front matter. Not a reader of YAML: what is not plainly a key with
 * a value is reported as unreadable, so a spelling that we don't know can't hide a key from us.
 */

/** As it is told to the person. */
const UNREADABLE = 'something that is no plain key';

const FENCE = '---';
const KEY = /^([A-Za-z_][\w-]*):(?:\s|$)/;
/** What may stand between keys: nothing, a comment, a value that goes on, an item of a list. */
const BETWEEN = /^(?:\s*$|\s*#|[ \t]+\S|- )/;

/** Empty: there is no front matter. */
export function frontMatterKeys(content: string): string[] {
  const [first = '', ...lines] = content.replace(/^\uFEFF?\s*/, '').split(/\r\n|[\n\r\u0085\u2028\u2029]/);
  if (!first.startsWith(FENCE)) return [];
  if (first.trim() !== FENCE) return [UNREADABLE];
  const end = lines.findIndex((line) => /^(?:---|\.\.\.)/.test(line));
  const keys: string[] = [];
  for (const line of end === -1 ? lines : lines.slice(0, end)) {
    const key = KEY.exec(line)?.[1];
    // A mapping may be indented as a whole, so nothing indented comes before the first key.
    const isBetween = keys.length === 0 ? /^\s*(?:#|$)/.test(line) : BETWEEN.test(line);
    if (key !== undefined) keys.push(key);
    else if (!isBetween) return [...keys, UNREADABLE];
  }
  return keys;
}
