// Builds what people run: the plugin's programs (plugin/dist, committed) and the command line (dist, not
// committed). docs/internals/build.md explains it.
//
//   node scripts/build/build.mjs [--only plugin|cli] [--plugin-out DIR] [--if-stale] [--types]
//   node scripts/build/build.mjs --is-fresh [--types]     builds nothing; exits 1 if a build is needed
//
// The same sources give the same bytes, so that a test can compare plugin/dist with a fresh build. A build of
// everything also lists the bundled packages in dist/sbom.cdx.json.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../root.mjs';
import { sbomOf } from './bundled.mjs';
import { buildCommandLine } from './command-line.mjs';
import { emitDeclarations } from './declarations.mjs';
import { buildPage } from './page.mjs';
import { buildPlugin } from './plugin.mjs';
import { slashes } from './seams.mjs';

const stampFile = join(root, 'dist/.stamp');

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    'plugin-out': { type: 'string', default: join(root, 'plugin/dist') },
    'if-stale': { type: 'boolean' },
    'is-fresh': { type: 'boolean' },
    types: { type: 'boolean' },
  },
});

/** What this build makes. */
const parts = [
  ...(flags.only === 'cli' ? [] : ['plugin']),
  ...(flags.only === 'plugin' ? [] : ['cli']),
  ...(flags.types ? ['types'] : []),
];

if (flags['is-fresh']) process.exit(isFresh() ? 0 : 1);
if (!(flags['if-stale'] && isFresh())) {
  try {
    await build();
  } catch (error) {
    // The bundler has already reported the error and its place.
    if (!Array.isArray(error.errors)) throw error;
    process.exit(1);
  }
}

async function build() {
  // Imported late, because this takes longer than everything above.
  const esbuild = await import('esbuild');
  const libraries = new Set();
  if (parts.includes('plugin')) await buildPlugin(esbuild, resolve(flags['plugin-out']), libraries);
  if (parts.includes('cli')) {
    await buildCommandLine(esbuild, libraries);
    await buildPage(esbuild, libraries);
  }
  if (parts.includes('types')) emitDeclarations();
  if (!flags.only) writeFileSync(join(root, 'dist/sbom.cdx.json'), sbomOf(libraries));
  if (parts.includes('cli')) writeStamp();
}

/**
 * The stamp names the sources and what was made of them, so a build of everything also serves who asks for
 * less.
 */
function readStamp() {
  const [of, ...made] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : [];
  return of === fingerprint() ? made : [];
}

function isFresh() {
  const made = readStamp();
  return parts.every((part) => made.includes(part));
}

function writeStamp() {
  writeFileSync(stampFile, [fingerprint(), ...new Set([...readStamp(), ...parts])].join(' '));
}

/** One hash of the sources and the committed bundles. It uses no file times, because a clone resets them. */
function fingerprint() {
  const hash = createHash('sha256');
  const fixed = [join(root, 'package-lock.json'), ...filesUnder('scripts/build')];
  for (const path of [...filesUnder('src'), ...filesUnder('plugin/dist'), ...fixed])
    hash.update(`\0${slashes(relative(root, path))}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

function filesUnder(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted(byName);
}

/** An order that does not depend on the locale. */
function byName(a, b) {
  return a < b ? -1 : 1;
}
