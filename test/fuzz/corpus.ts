/**
 * Inputs that once made a reader say something of a kind that no input before had made it say. They are kept,
 * and each run begins with them. The long mode finds more.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLines } from '#base/shape.ts';

const FOLDER = join(import.meta.dirname, 'corpus');
/** Of each reader, and of each input: the corpus stays small enough to be read. */
const MOST = 10;
const LONGEST = 400;

function fileOf(reader: string): string {
  return join(FOLDER, `${reader.replaceAll(/\W+/g, '-')}.jsonl`);
}

export function corpusOf(reader: string): readonly string[] {
  const file = fileOf(reader);
  return existsSync(file) ? (jsonLines(readFileSync(file, 'utf8')) as string[]) : [];
}

export function keepCorpus(reader: string, inputs: readonly string[]): void {
  const short = inputs.filter((one) => one.length <= LONGEST && !/\p{Surrogate}/u.test(one));
  const kept = [...new Set([...corpusOf(reader), ...short])].slice(0, MOST);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(reader), kept.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

/** The kind of what a reader said: its fields and its words for what it found, without names and numbers. */
export function kindOf(said: unknown, depth = 0): string {
  if (typeof said === 'string') return /^[a-z-]{2,20}$/.test(said) ? said : said === '' ? '' : 's';
  if (typeof said === 'number') return Math.sign(said).toString();
  if (typeof said !== 'object' || said === null) return String(typeof said === 'function' ? 'f' : said);
  if (depth > 3) return 'o';
  if (Array.isArray(said)) {
    const kinds = said.slice(0, 20).map((one) => kindOf(one, depth + 1));
    return `[${(said.length > 6 ? [...new Set(kinds)].toSorted() : kinds).join()}]`;
  }
  if (said instanceof Map || said instanceof Set) return kindOf([...said], depth);
  return `{${Object.entries(said)
    .map(([name, value]) => `${name}:${kindOf(value, depth + 1)}`)
    .join()}}`;
}
