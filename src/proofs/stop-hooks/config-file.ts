/**
 * Finds a project's config file and computes the digest of all that it would run. Nothing is executed here. We pin what
 * `dacapo trust` saw Node load, and also what the files plainly name, since a hook may import something only when it is
 * asked: every quoted path in the config that leads to a code file, and every relative import or require in each file.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { refuse, type Refusal } from '../../core/refusal.ts';
import { isFile } from '../../files/paths.ts';
import { sha256 } from '../../files/sha256.ts';
import type { Pins } from '../../store/store.ts';
import { digestOfField, formatFieldOf, isField } from './package-fields.ts';
import type { ConfigDescription } from './process.ts';

const CODE = ['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.json'];
/** A config that names more files is a program of its own. */
const MOST_FILES = 200;
const MOST_BYTES = 4 * 1024 * 1024;
/** Limits for files of packages: each file is read again at every stop. */
const MOST_LOADED = 2_000;
const MOST_LOADED_BYTES = 32 * 1024 * 1024;

export type FoundConfig = { readonly ok: true; readonly file: string | null } | Refusal;

/** The config of a project, relative to it; null if it has none. */
export function findConfig(project: string, named: string | null): FoundConfig {
  if (named !== null)
    return isFile(resolve(project, named))
      ? { ok: true, file: fromProject(project, resolve(project, named)) }
      : refuse('no-config', `${named} is not a file.`, 'Name the config as seen from the project.');
  const [file, ...more] = CONFIG_NAMES.filter((name) => isFile(join(project, name)));
  if (more.length > 0)
    return refuse(
      'two-configs',
      `There are several configs here: ${[file, ...more].join(', ')}.`,
      'Keep one, or name it: --config FILE.',
    );
  return { ok: true, file: file ?? null };
}

export interface PinnedFiles {
  readonly ok: true;
  readonly digest: string;
  readonly files: Pins['files'];
  readonly fields: Pins['fields'];
}

/** `loaded`: what Node loaded for this config. */
export function pinConfig(
  project: string,
  file: string,
  loaded: ConfigDescription['loaded'] = { files: [], fields: [] },
): PinnedFiles | Refusal {
  const named = namedFiles(project, file);
  if (!named.ok) return named;
  const found = new Map(named.found);
  if (loaded.files.length > MOST_LOADED)
    return refuse(
      'unreadable-config',
      `${file} loads more than ${MOST_LOADED} files.`,
      'Bundle it into one file.',
    );
  for (const one of loaded.files) {
    const digest = digestOf(resolve(project, one), MOST_LOADED_BYTES);
    if (digest === null)
      return refuse('unreadable-config', `${one} can't be read.`, 'Fix it, or do without it.');
    found.set(resolve(project, one), digest);
  }
  const files = [...found]
    .map(([path, digest]) => ({ file: fromProject(project, path), digest }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const fields = pinnedFields(project, [...found.keys()], loaded.fields);
  const lines = [
    ...files.map((one) => `${one.file}\0${one.digest}\n`),
    ...fields.map((one) => `${one.file}\0${one.field}\0${one.digest}\n`),
  ];
  return { ok: true, digest: sha256(lines.join('')), files, fields };
}

/** The first file or field that differs from what the user agreed to; null if nothing has changed. */
export function changedSince(project: string, { files, fields }: Pins): string | null {
  const file = files.find((one) => digestOf(resolve(project, one.file), MOST_LOADED_BYTES) !== one.digest);
  if (file !== undefined) return file.file;
  const field = fields.find(
    (one) =>
      isField(one.field) &&
      digestOfField({ path: resolve(project, one.file), field: one.field }) !== one.digest,
  );
  return field === undefined ? null : `${field.field} of ${field.file}`;
}

function pinnedFields(
  project: string,
  files: readonly string[],
  loaded: ConfigDescription['loaded']['fields'],
): Pins['fields'] {
  const decided = [
    ...files.flatMap(formatFieldOf),
    ...loaded.map(({ file, field }) => ({ path: resolve(project, file), field })),
  ];
  const pinned = decided.flatMap((one) => {
    const digest = digestOfField(one);
    return digest === null ? [] : [{ file: fromProject(project, one.path), field: one.field, digest }];
  });
  const byName = new Map(pinned.map((one) => [`${one.file} ${one.field}`, one]));
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

interface NamedFiles {
  readonly ok: true;
  /** The path and the digest of each file. */
  readonly found: ReadonlyMap<string, string>;
}

function namedFiles(project: string, file: string): NamedFiles | Refusal {
  const found = new Map<string, string>();
  const open = [resolve(project, file)];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (found.has(path)) continue;
    const content = read(path, MOST_BYTES);
    if (content === null || found.size >= MOST_FILES)
      return refuse(
        'unreadable-config',
        content === null
          ? `${fromProject(project, path)} can't be read.`
          : `${file} names more than ${MOST_FILES} files.`,
        content === null ? 'Fix it, or take it out of the config.' : 'Bundle it into one file.',
      );
    found.set(path, sha256(content));
    open.push(...namedIn(content.toString('utf8'), path, found.size === 1));
  }
  return { ok: true, found };
}

// Any quote may be an opening one (comments contain apostrophes), so a lookahead reads what follows it. A command leads
// to no file. A path in a comment is pinned too, which does no harm.
const QUOTED = /(["'`])(?=(?<path>[^"'`\r\n]{1,300})\1)/g;
const IMPORTED = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?(["'`])(?<path>\.{1,2}\/[^"'`\r\n]{1,300})\1/g;

function namedIn(content: string, from: string, isConfig: boolean): string[] {
  const listed = isConfig ? pathsIn(content, QUOTED).filter((path) => !path.endsWith('.json')) : [];
  const named = [...listed, ...pathsIn(content, IMPORTED)].flatMap(
    (path) => codeAt(resolve(dirname(from), path)) ?? [],
  );
  return [...new Set(named)].filter((path) => !path.split(sep).includes('node_modules'));
}

function pathsIn(content: string, pattern: RegExp): string[] {
  return [...new Set([...content.matchAll(pattern)].map(({ groups }) => groups?.['path'] ?? ''))];
}

/** As Node resolves it: by its name, with an extension, or as the index of a folder. */
function codeAt(path: string): string | null {
  const candidates = [
    path,
    ...CODE.map((end) => path + end),
    ...CODE.map((end) => join(path, `index${end}`)),
  ];
  return candidates.find((one) => CODE.includes(extname(one)) && isFile(one)) ?? null;
}

function digestOf(path: string, most: number): string | null {
  const content = read(path, most);
  return content === null ? null : sha256(content);
}

function read(path: string, most: number): Buffer | null {
  try {
    const stat = statSync(path);
    // Reading a named pipe would block the hook forever.
    return stat.isFile() && stat.size <= most ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

/** With `/` on every system, since digests are made from it. */
function fromProject(project: string, path: string): string {
  return relative(project, path).split(sep).join('/') || basename(path);
}

/** The possible names of a project's config, in this order. */
export const CONFIG_NAMES: readonly string[] = ['js', 'mjs', 'ts', 'json'].map(
  (end) => `dacapo.config.${end}`,
);
