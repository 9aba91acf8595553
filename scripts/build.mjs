// Builds what people run: the plugin's bundles (plugin/dist, committed) and the command line (dist, not
// committed).
//
//   node scripts/build.mjs [--only plugin|cli] [--plugin-out DIR] [--if-stale] [--strict] [--types]
//
// The same sources give the same bytes, so that a test can compare plugin/dist with a fresh build. An entry
// that does not exist yet is skipped, unless --strict. A build of everything also lists the bundled packages
// in dist/sbom.cdx.json.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundledIn, licencesOf, sbomOf } from './bundled.mjs';
import { SEAMS, exportsOf, moduleAt, seams, slashes, withEachImportOnce } from './seams.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'dist/.stamp');

const PROGRAMS = [
  { in: 'src/programs/hook.ts', out: 'hook.cjs' },
  { in: 'src/programs/hook-program.ts', out: 'hook-program.cjs' },
  { in: 'src/programs/status-line.ts', out: 'status-line.cjs' },
  { in: 'src/programs/wake.ts', out: 'wake.cjs' },
  { in: 'src/programs/sender.ts', out: 'sender.cjs' },
  { in: 'src/programs/supervisor.ts', out: 'runner.cjs' },
  // It loads other people's modules, which may be CommonJS or ESM, so import() must stay as it is.
  { in: 'src/programs/hooks-runner.ts', out: 'hooks-runner.cjs', imports: true },
  // A program of its own, which shares no file with the hook.
  { in: 'src/programs/reviewer.ts', out: 'reviewer.cjs', whole: true },
  { in: 'src/programs/load-thread.ts', out: 'load-thread.cjs' },
  // The schemas of its library are parsed a few times per call: compiling each costs more than it saves.
  {
    in: 'src/programs/mcp-server.ts',
    out: 'mcp-server.cjs',
    banner: 'globalThis.__zod_globalConfig={jitless:true};',
  },
  { in: 'src/programs/mcp.ts', out: 'mcp.cjs' },
];
/** The only files of the plugin that bundle a library. No hook loads the server. */
const WITH_LIBRARIES = ['markdown.cjs', 'mcp-server.cjs'];
/** What the command line runs: one file each, from compiled code (src/surfaces/cli/run-compiled.ts). */
const CLI_COMPILED = [
  { in: 'src/surfaces/cli/program.ts', out: 'program' },
  { in: 'src/surfaces/cli/hook-protocol.ts', out: 'hook-protocol' },
  { in: 'src/fleet/driven/main.ts', out: 'driven-program' },
  // Its library is a third as large as the rest together, and seldom needed.
  { in: 'src/surfaces/mcp/http.ts', out: 'mcp-http' },
];
/** The programs themselves. They are small. */
const CLI_PROGRAMS = [
  { in: 'src/programs/cli.ts', out: 'cli' },
  { in: 'src/programs/driven.ts', out: 'driven' },
  { in: 'src/programs/watchdog.ts', out: 'watchdog' },
];
const LIBRARY = [
  { in: 'src/surfaces/library/index.ts', out: 'index' },
  { in: 'src/surfaces/stop-hooks/index.ts', out: 'stop-hooks' },
];

/** The page of `dacapo ui`: what a browser gets. */
const PAGE = 'src/surfaces/page/browser';
/** The browsers of the last two years. */
const BROWSERS = ['chrome120', 'firefox121', 'safari17'];

const written = {
  platform: 'node',
  target: 'node20.19',
  charset: 'utf8',
  // The full licences of bundled libraries go to THIRD_PARTY.txt.
  legalComments: 'none',
  // The project's compiler options are for tsc. If esbuild read them too, the output would depend on them.
  tsconfigRaw: {},
};
const shared = {
  ...written,
  // Its validator of JSON Schemas is a third of the library, and our schemas check themselves.
  alias: { '@modelcontextprotocol/server/_shims': './scripts/no-validator.mjs' },
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  write: false,
  logLevel: 'warning',
  // import.meta.url is empty in CommonJS: use import.meta.dirname.
  logOverride: { 'empty-import-meta': 'error' },
};

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    'plugin-out': { type: 'string', default: join(root, 'plugin/dist') },
    'if-stale': { type: 'boolean' },
    strict: { type: 'boolean' },
    types: { type: 'boolean' },
  },
});

/** What this build makes. */
const parts = [
  ...(flags.only === 'cli' ? [] : ['plugin']),
  ...(flags.only === 'plugin' ? [] : ['cli']),
  ...(flags.types ? ['types'] : []),
];

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
    await buildCli(esbuild, libraries);
    await buildPage(esbuild, join(root, 'dist/ui'), libraries);
  }
  if (parts.includes('types')) emitTypes();
  if (!flags.only) writeFileSync(join(root, 'dist/sbom.cdx.json'), sbomOf(libraries));
  if (parts.includes('cli')) writeStamp();
}

async function buildPlugin(esbuild, outdir, libraries) {
  const files = new Map();
  const inPlugin = new Set();
  const siblings = Object.entries(SEAMS).map(([out, modules]) => ({
    out,
    stdin: {
      contents: exportsOf(modules),
      resolveDir: root,
      sourcefile: out,
    },
  }));
  for (const { out, in: entry, stdin, imports, whole, banner = '' } of [...siblings, ...present(PROGRAMS)]) {
    const result = await esbuild.build({
      ...shared,
      ...(stdin ? { stdin } : { entryPoints: [entry] }),
      outfile: join(outdir, out),
      format: 'cjs',
      // Across modules only this pass can put constants in place. The names stay, for the imports below.
      minifySyntax: true,
      define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
      plugins: whole ? [] : [seams(out)],
    });
    const used = bundledIn(result.metafile);
    if (!WITH_LIBRARIES.includes(out) && used.length > 0)
      fail(`${out} must hold our own code only, but bundles ${used.join(', ')}`);
    for (const name of used) inPlugin.add(name);
    const [{ text }] = result.outputFiles;
    if (!imports && /\bimport\(/.test(text)) fail(`${out} holds an import()`);
    // V8 compiles every byte at every stop, so we keep the bundle small. The second pass also drops esbuild's
    // own helpers that are no longer used.
    const { code } = await esbuild.transform(withEachImportOnce(text), {
      ...written,
      format: 'cjs',
      treeShaking: true,
      minify: true,
      // V8 reads a text with any other character in it twice as wide, and takes longer for all of it.
      charset: 'ascii',
    });
    files.set(out, Buffer.from(banner + code));
  }
  withLicences(files, inPlugin, libraries);
  publish(outdir, files);
}

async function buildCli(esbuild, libraries) {
  const outdir = join(root, 'dist');
  // Flat, so that import.meta.dirname is dist/ in every chunk. `pg` can do without its optional part in C.
  const options = { ...shared, outdir, format: 'esm', chunkNames: 'chunk-[hash]', external: ['pg-native'] };
  const results = [
    await esbuild.build({ ...options, entryPoints: present(CLI_PROGRAMS), plugins: [compiled()] }),
    await esbuild.build({ ...options, entryPoints: present(LIBRARY), splitting: true, minify: true }),
  ];
  for (const entry of present(CLI_COMPILED))
    results.push(
      await esbuild.build({
        ...options,
        entryPoints: [entry],
        outExtension: { '.js': '.cjs' },
        format: 'cjs',
        minify: true,
        charset: 'ascii',
        define: { 'import.meta.dirname': '__dirname' },
        plugins: [compiled()],
      }),
    );
  const files = new Map();
  for (const file of results.flatMap(({ outputFiles }) => outputFiles)) {
    const name = relative(outdir, file.path);
    const shebang = name === 'cli.js' && !file.text.startsWith('#!') ? '#!/usr/bin/env node\n' : '';
    files.set(name, Buffer.from(shebang + file.text));
  }
  withLicences(files, new Set(results.flatMap(({ metafile }) => bundledIn(metafile))), libraries);
  publish(outdir, files);
  if (files.has('cli.js')) chmodSync(join(outdir, 'cli.js'), 0o755);
}

/** Where a program imports one of CLI_COMPILED when it needs it, that file runs, from compiled code. */
function compiled() {
  const names = new Map(CLI_COMPILED.map(({ in: file, out }) => [join(root, file), out]));
  return {
    name: 'compiled',
    setup(build) {
      build.onResolve({ filter: /^(\.{1,2}\/|#)/ }, (args) => {
        const name = args.kind === 'dynamic-import' ? names.get(moduleAt(args)) : undefined;
        return name && { path: `./${name}.cjs`, namespace: 'compiled' };
      });
      build.onLoad({ filter: /./, namespace: 'compiled' }, ({ path }) => ({
        contents: `import { runCompiled } from './src/surfaces/cli/run-compiled.ts'; module.exports = runCompiled('${path}');`,
        resolveDir: root,
      }));
    },
  };
}

async function buildPage(esbuild, outdir, libraries) {
  const result = await esbuild.build({
    ...shared,
    platform: 'browser',
    target: BROWSERS,
    entryPoints: [{ in: join(PAGE, 'main.tsx'), out: 'page' }],
    outdir,
    format: 'esm',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const files = new Map(
    result.outputFiles.map((file) => [relative(outdir, file.path), Buffer.from(file.contents)]),
  );
  for (const name of ['index.html', 'icon.svg']) files.set(name, readFileSync(join(root, PAGE, name)));
  withLicences(files, new Set(bundledIn(result.metafile)), libraries);
  publish(outdir, files);
}

function emitTypes() {
  // A declaration whose source is gone must not stay.
  rmSync(join(root, 'dist/types'), { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) fail('the declarations could not be written');
  for (const file of filesUnder('dist/types')) writeFileSync(file, asPublished(file));
}

/**
 * The declarations as somebody who installs the package needs them: there `#law/loop.ts` is no name of ours,
 * and a declaration is found by the name of the script beside it.
 */
function asPublished(file) {
  const up = slashes(relative(dirname(file), join(root, 'dist/types'))) || '.';
  return readFileSync(file, 'utf8').replaceAll(
    /(from |import\()(['"])([#.][^'"]*)\.ts\2/g,
    (_, before, quote, path) => `${before}${quote}${path.replace('#', `${up}/`)}.js${quote}`,
  );
}

/** The entries that exist. */
function present(entries) {
  return entries.filter((entry) => {
    if (existsSync(join(root, entry.in))) return true;
    if (flags.strict) fail(`${entry.in} is missing`);
    return false;
  });
}

/** Their licences go beside the bundles, and their names into `libraries`, for the list of everything. */
function withLicences(files, names, libraries) {
  if (names.size > 0) files.set('THIRD_PARTY.txt', Buffer.from(licencesOf(names)));
  for (const name of names) libraries.add(name);
}

/**
 * Writes only changed files and removes those no longer built, so that an unchanged build touches nothing.
 */
function publish(outdir, files) {
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
  const fixed = [join(root, 'package-lock.json'), ...filesUnder('scripts')];
  for (const path of [...filesUnder('src'), ...filesUnder('plugin/dist'), ...fixed]) {
    hash.update(`\0${slashes(relative(root, path))}\0`).update(readFileSync(path));
  }
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

function fail(message) {
  console.error(`build: ${message}`);
  process.exit(1);
}
