/**
 * Sees every file that Node is about to load, by Node's own rules. Without pins it notes them, for
 * `dacapo trust`. With pins it refuses a file that is not pinned with its present content, before any of it
 * runs.
 */
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashConfig } from '#evidence/proofs/stop-hooks/config-file.ts';
import {
  digestOfField,
  formatFieldOf,
  packageOf,
  type PackageField,
} from '#evidence/proofs/stop-hooks/package-fields.ts';
import { isFile } from '#base/files/paths.ts';
import type { Pins } from '#store/store.ts';

/** Paths are relative to the project. */
export interface LoadedFiles {
  readonly files: readonly string[];
  readonly fields: readonly { readonly file: string; readonly field: PackageField['field'] }[];
}

export interface Resolution {
  readonly specifier: string;
  /** The importing module: a path or a file URL. */
  readonly parent: string | null;
  /** What Node resolved it to: a path or a URL. */
  readonly found: string;
}

export type Watch = ReturnType<typeof watchLoading>;

export function watchLoading(project: string, pins: Pins | null) {
  const files = new Set<string>();
  const fields = new Map<string, LoadedFiles['fields'][number]>();
  const digests = new Map(pins?.files.map(({ file, digest }) => [file, digest]));
  const decided = new Map(pins?.fields.map(({ file, field, digest }) => [`${field} of ${file}`, digest]));
  const nameOf = (path: string): string => relative(project, path).split(sep).join('/');
  const seeFile = (path: string): void => {
    const file = nameOf(path);
    if (files.has(file)) return;
    if (pins !== null && digests.get(file) !== hashConfig(path)) throw refusalError(file, digests.has(file));
    files.add(file);
  };
  const seeField = (one: PackageField): void => {
    const file = nameOf(one.path);
    const name = `${one.field} of ${file}`;
    const digest = fields.has(name) ? null : digestOfField(one);
    if (digest === null) return;
    if (pins !== null && decided.get(name) !== digest) throw refusalError(name, decided.has(name));
    fields.set(name, { file, field: one.field });
  };
  return {
    /** Throws if the file may not be loaded. */
    see: ({ specifier, parent, found }: Resolution): void => {
      const path = pathOf(found);
      if (path === null) return;
      for (const one of fieldsBehind(specifier, parent === null ? null : pathOf(parent), path)) seeField(one);
      seeFile(path);
    },
    loaded: (): LoadedFiles => ({ files: [...files], fields: [...fields.values()] }),
  };
}

function refusalError(what: string, isKnown: boolean): Error {
  return new Error(
    isKnown
      ? `${what} has changed since this was trusted (an edit, or tampering)`
      : `${what} was not trusted: it is new, or it was not loaded when dacapo trust looked. Import it ` +
          'at the top of a module, and trust it again',
  );
}

function fieldsBehind(specifier: string, parent: string | null, path: string): PackageField[] {
  const format = formatFieldOf(path);
  if (parent === null) return format;
  if (specifier.startsWith('#')) return [...format, ...fieldsOf(packageOf(parent), ['imports'])];
  if (!isAbsolute(specifier) && !/^(?:\.{1,2}(?:[/\\]|$)|[a-z]+:)/i.test(specifier)) {
    const isPackage = path.split(sep).includes('node_modules');
    // If it is not in node_modules, the package refers to itself by name.
    return [...format, ...fieldsOf(packageOf(isPackage ? path : parent), ['name', 'exports', 'main'])];
  }
  const folder = resolve(dirname(parent), specifier, 'package.json');
  return isFile(folder) ? [...format, { path: folder, field: 'main' }] : format;
}

function fieldsOf(path: string | null, fields: readonly PackageField['field'][]): PackageField[] {
  return path === null ? [] : fields.map((field) => ({ path, field }));
}

/** Returns null for a module of Node's own, or for code inside the URL. */
function pathOf(place: string): string | null {
  if (isAbsolute(place)) return place;
  return place.startsWith('file:') ? fileURLToPath(place) : null;
}
