/**
 * A strict reader of flat front matter: `key: value` lines, comments, bare, quoted and `null` values, keys in any
 * order. The body is everything after the closing line, byte for byte. No YAML library: it would cost the hook 14 ms.
 */
import { escapeCharacter } from '../core/words/sanitize.ts';

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, string | null>;
  readonly body: string;
}

export type Parsed = ({ readonly ok: true } & FrontMatter) | { readonly ok: false; readonly why: string };

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const FIELD = /^([A-Za-z_][A-Za-z0-9_-]*)[ \t]*:(?:[ \t]+(.*))?$/s;

export function parseFrontMatter(content: string): Parsed {
  const opening = OPENING.exec(content);
  if (opening === null) return { ok: false, why: 'it does not begin with a --- line' };
  const fields = new Map<string, string | null>();
  let at = opening[0].length;
  for (let number = 2; at < content.length; number++) {
    const newline = content.indexOf('\n', at);
    const end = newline === -1 ? content.length : newline;
    const line = content.slice(at, end).trimEnd();
    at = end + 1;
    if (line === '---') return { ok: true, fields, body: content.slice(at) };
    if (/^\s*(?:#|$)/.test(line)) continue;
    const field = FIELD.exec(line);
    const [, key, raw = ''] = field ?? [];
    if (key === undefined)
      return { ok: false, why: `line ${number} is no "key: value": ${line.slice(0, 60)}` };
    if (fields.has(key)) return { ok: false, why: `line ${number} gives ${key} a second time` };
    const value = parseScalar(raw.trim());
    if (value === undefined) return { ok: false, why: `line ${number} has an unfinished quote` };
    fields.set(key, value);
  }
  return { ok: false, why: 'the closing --- line is missing' };
}

function parseScalar(raw: string): string | null | undefined {
  if (raw.startsWith('"')) return doubleQuoted(raw);
  if (raw.startsWith("'")) return singleQuoted(raw);
  // The `s` flag: without it `.` stops at U+2028, and the expression would try each `#` before that in vain.
  const bare = raw.replace(/(^|\s)#.*$/s, '').trim();
  return /^(?:|~|null|Null|NULL)$/.test(bare) ? null : bare;
}

function doubleQuoted(raw: string): string | undefined {
  const quoted = /^("(?:[^"\\]|\\.)*")\s*(?:#.*)?$/s.exec(raw)?.[1];
  if (quoted === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function singleQuoted(raw: string): string | undefined {
  return /^'((?:[^']|'')*)'\s*(?:#.*)?$/s.exec(raw)?.[1]?.replaceAll("''", "'");
}

/** Writes a value that this reader, and any YAML reader, reads back the same. */
export function scalar(value: string | number | null): string {
  if (value === null) return 'null';
  return typeof value === 'number'
    ? String(value)
    : JSON.stringify(value).replace(UNPRINTABLE, escapeCharacter);
}

/** Characters that JSON may hold unescaped, and YAML may not. */
const UNPRINTABLE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;
