/** Paths in a tool call as hosts may read them, and all texts of a call that nobody can read. */
import { homedir } from 'node:os';
import { isRecord } from '#base/shape.ts';

/** pi takes them for blanks. */
const BLANKS = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/**
 * The path as it is, and as some host understands it: `~/x` from home, `@x` and `file:x` without the sign,
 * `a\ b` without the backslash, and without blanks around it. Each of these may be the file that is written.
 */
export function readingsOf(path: string): string[] {
  const plain = path
    .replaceAll(BLANKS, ' ')
    .trim()
    .replace(/^@|^file:\/\//, '');
  const isOfHome = plain === '~' || plain.startsWith('~/');
  const read = isOfHome ? homedir() + plain.slice(1) : plain;
  return [...new Set([path, read, read.replaceAll('\\', '')])].filter((one) => one !== '');
}

/** Deeper values are no input of a tool. */
const MAX_INPUT_DEPTH = 8;

/** Every text in a value, names of fields included. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth > MAX_INPUT_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner, depth + 1)]);
}
