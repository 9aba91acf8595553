/**
 * Finds a project's config file and computes the digest of all that it would run. Nothing is executed here.
 * We pin what `dacapo trust` saw Node load; the program that asks the hooks refuses to load anything else.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { refuse, type Refusal } from '#base/refusal.ts';
import { attempt } from '#base/shape.ts';
import { isFile } from '#base/files/paths.ts';
import { sha256 } from '#base/files/sha256.ts';
import type { Pins } from '#store/store.ts';
import { digestOfField, formatFieldOf, isField } from './package-fields.ts';
import type { ConfigDescription } from './process.ts';

/** Each file is read again at every stop. A config that loads more is a program of its own. */
const MAX_FILES_LOADED = 2_000;
const MAX_CONFIG_BYTES = 32 * 1024 * 1024;

export type FoundConfig = { readonly ok: true; readonly file: string | null } | Refusal;

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

export type PinnedFiles = Pins & { readonly ok: true; readonly digest: string };

export function pinConfig(
  project: string,
  file: string,
  loaded: ConfigDescription['loaded'] = { files: [], fields: [] },
): PinnedFiles | Refusal {
  const names = [...new Set([file, ...loaded.files])].toSorted();
  if (names.length > MAX_FILES_LOADED)
    return refuse(
      'unreadable-config',
      `${file} loads over ${MAX_FILES_LOADED} files.`,
      'Bundle it into one file.',
    );
  const files: Pins['files'][number][] = [];
  for (const name of names) {
    const digest = hashConfig(resolve(project, name));
    if (digest === null)
      return refuse('unreadable-config', `${name} can't be read.`, 'Fix it, or do without it.');
    files.push({ file: name, digest });
  }
  const fields = pinnedFields(project, names, loaded.fields);
  const lines = [
    ...files.map((one) => `${one.file}\0${one.digest}\n`),
    ...fields.map((one) => `${one.file}\0${one.field}\0${one.digest}\n`),
  ];
  return { ok: true, digest: sha256(lines.join('')), files, fields };
}

/** The first file or field that differs from what the user agreed to; null if nothing has changed. */
export function findChangedPin(project: string, { files, fields }: Pins): string | null {
  const file = files.find((one) => hashConfig(resolve(project, one.file)) !== one.digest);
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
    ...files.flatMap((file) => formatFieldOf(resolve(project, file))),
    ...loaded.map(({ file, field }) => ({ path: resolve(project, file), field })),
  ];
  const pinned = decided.flatMap((one) => {
    const digest = digestOfField(one);
    return digest === null ? [] : [{ file: fromProject(project, one.path), field: one.field, digest }];
  });
  const byName = new Map(pinned.map((one) => [`${one.file} ${one.field}`, one]));
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Null: it can't be read, or is too large. */
export function hashConfig(path: string): string | null {
  const stat = attempt(() => statSync(path), null);
  // Reading a named pipe would block the hook forever.
  const mayRead = stat?.isFile() === true && stat.size <= MAX_CONFIG_BYTES;
  return mayRead ? attempt(() => sha256(readFileSync(path)), null) : null;
}

/** With `/` on every system, since digests are made from it. */
function fromProject(project: string, path: string): string {
  return relative(project, path).split(sep).join('/') || basename(path);
}

export const CONFIG_NAMES = ['js', 'mjs', 'ts', 'json'].map((end) => `dacapo.config.${end}`);
