// What every bundle has in common: options of esbuild, files that are written only if they changed, and the
// licences of what is inside.

import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { licencesOf } from './bundled.mjs';

export const written = {
  platform: 'node',
  target: 'node20.19',
  charset: 'utf8',
  // The full licences of bundled libraries go to THIRD_PARTY.txt.
  legalComments: 'none',
  // The project's compiler options are for tsc. If esbuild read them too, the output would depend on them.
  tsconfigRaw: {},
};

export const bundling = {
  ...written,
  // Its validator of JSON Schemas is a third of the library, and our schemas check themselves.
  alias: { '@modelcontextprotocol/server/_shims': './scripts/build/no-validator.mjs' },
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  write: false,
  logLevel: 'warning',
  // import.meta.url is empty in CommonJS: use import.meta.dirname.
  logOverride: { 'empty-import-meta': 'error' },
};

/**
 * The code with every other character escaped: V8 reads a text with one of them in it twice as wide, and takes
 * longer for all of it. `charset: 'ascii'` leaves those in patterns as they are. A pattern reads an escape
 * alike; in `String.raw` we write parts of patterns only.
 */
export function asAscii(code) {
  return code.replaceAll(
    /[\u0080-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Their licences go beside the bundles, and their names into `libraries`, for the list of everything. */
export function withLicences(files, names, libraries) {
  if (names.size > 0) files.set('THIRD_PARTY.txt', Buffer.from(licencesOf(names)));
  for (const name of names) libraries.add(name);
}

/**
 * Writes only changed files and removes those no longer built, so that an unchanged build touches nothing.
 */
export function publish(outdir, files) {
  mkdirSync(outdir, { recursive: true });
  for (const [name, contents] of files) {
    const path = join(outdir, name);
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    // Replaced by rename, so that a program that starts meanwhile reads the old file or the new one, never
    // half of one.
    const unfinished = join(outdir, `.${name}.${process.pid}`);
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
  for (const entry of readdirSync(outdir, { withFileTypes: true })) {
    const ours = entry.isFile() && !entry.name.startsWith('.');
    if (ours && !files.has(entry.name)) rmSync(join(outdir, entry.name), { force: true });
  }
}

export function fail(message) {
  console.error(`build: ${message}`);
  process.exit(1);
}
