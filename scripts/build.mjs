// Builds what people run: the plugin's bundles (plugin/dist, committed) and the command line (dist, not committed).
//
//   node scripts/build.mjs [--only plugin|cli] [--plugin-out DIR] [--if-stale] [--strict] [--types]
//
// The same sources give the same bytes, so that a test can compare plugin/dist with a fresh build.
// An entry that does not exist yet is skipped, unless --strict.

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
import { SEAMS, exportsOf, seams, slashes, withEachImportOnce } from './seams.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'dist/.stamp');

const PROGRAMS = [
  { in: 'src/hook/main.ts', out: 'hook.cjs' },
  { in: 'src/hook/program.ts', out: 'hook-program.cjs' },
  { in: 'src/hook/status-line.ts', out: 'status-line.cjs' },
  { in: 'src/hook/wake.ts', out: 'wake.cjs' },
  { in: 'src/hook/sender.ts', out: 'sender.cjs' },
  { in: 'src/process/supervisor.ts', out: 'runner.cjs' },
  // It loads other people's modules, which may be CommonJS or ESM, so import() must stay as it is.
  { in: 'src/stop-hooks/runner.ts', out: 'hooks-runner.cjs', imports: true },
  // A program of its own, which shares no file with the hook.
  { in: 'src/review/main.ts', out: 'reviewer.cjs', whole: true },
  { in: 'src/stop-hooks/loading/load-thread.ts', out: 'load-thread.cjs' },
  // The schemas of its library are parsed a few times per call: compiling each costs more than it saves.
  {
    in: 'src/mcp/program.ts',
    out: 'mcp-server.cjs',
    banner: 'globalThis.__zod_globalConfig={jitless:true};',
  },
  { in: 'src/mcp/main.ts', out: 'mcp.cjs' },
];
/** The only files of the plugin that bundle a library. No hook loads the server. */
const WITH_LIBRARIES = ['markdown.cjs', 'mcp-server.cjs'];
/** What the command line runs: one file each, from compiled code (src/cli/run-compiled.ts). */
const CLI_COMPILED = [
  { in: 'src/cli/program.ts', out: 'program' },
  { in: 'src/cli/hook-protocol.ts', out: 'hook-protocol' },
  { in: 'src/fleet/driven/main.ts', out: 'driven-program' },
  // Its library is a third as large as the rest together, and seldom needed.
  { in: 'src/mcp/http.ts', out: 'mcp-http' },
];
/** The programs themselves. They are small. */
const CLI_PROGRAMS = [
  { in: 'src/cli/entry.ts', out: 'cli' },
  { in: 'src/fleet/driven/entry.ts', out: 'driven' },
  { in: 'src/process/watchdog-program.ts', out: 'watchdog' },
];
const LIBRARY = [
  { in: 'src/index.ts', out: 'index' },
  { in: 'src/stop-hooks/index.ts', out: 'stop-hooks' },
];

/** The page of `dacapo ui`: what a browser gets. */
const PAGE = 'src/ui/page';
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
  if (flags.only !== 'cli') await buildPlugin(esbuild, resolve(flags['plugin-out']));
  if (flags.only !== 'plugin') {
    await buildCli(esbuild);
    await buildPage(esbuild, join(root, 'dist/ui'));
    writeFileSync(stampFile, fingerprint());
  }
  if (flags.types) emitTypes();
}

async function buildPlugin(esbuild, outdir) {
  const files = new Map();
  const libraries = new Set();
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
    const used = librariesIn(result.metafile);
    if (!WITH_LIBRARIES.includes(out) && used.length > 0)
      fail(`${out} must hold our own code only, but bundles ${used.join(', ')}`);
    for (const name of used) libraries.add(name);
    const [{ text }] = result.outputFiles;
    if (!imports && /\bimport\(/.test(text)) fail(`${out} holds an import()`);
    // V8 compiles every byte at every stop, so we keep the bundle small. The second pass also drops esbuild's own helpers
    // that are no longer used.
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
  if (libraries.size > 0) files.set('THIRD_PARTY.txt', Buffer.from(licences(libraries)));
  publish(outdir, files);
}

async function buildCli(esbuild) {
  const outdir = join(root, 'dist');
  // Flat, so that import.meta.dirname is dist/ in every chunk. `pg` can do without its optional part in C.
  const options = { ...shared, outdir, format: 'esm', chunkNames: 'chunk-[hash]', external: ['pg-native'] };
  const results = [
    await esbuild.build({ ...options, entryPoints: present(CLI_PROGRAMS), plugins: [compiled()] }),
    await esbuild.build({ ...options, entryPoints: present(LIBRARY), splitting: true }),
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
  const libraries = new Set(results.flatMap(({ metafile }) => librariesIn(metafile)));
  if (libraries.size > 0) files.set('THIRD_PARTY.txt', Buffer.from(licences(libraries)));
  publish(outdir, files);
  if (files.has('cli.js')) chmodSync(join(outdir, 'cli.js'), 0o755);
}

/** Where a program imports one of CLI_COMPILED when it needs it, that file runs, from compiled code. */
function compiled() {
  const names = new Map(CLI_COMPILED.map(({ in: file, out }) => [join(root, file), out]));
  return {
    name: 'compiled',
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) => {
        const name = kind === 'dynamic-import' ? names.get(join(resolveDir, path)) : undefined;
        return name && { path: `./${name}.cjs`, namespace: 'compiled' };
      });
      build.onLoad({ filter: /./, namespace: 'compiled' }, ({ path }) => ({
        contents: `import { runCompiled } from './src/cli/run-compiled.ts'; module.exports = runCompiled('${path}');`,
        resolveDir: root,
      }));
    },
  };
}

async function buildPage(esbuild, outdir) {
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
  const libraries = librariesIn(result.metafile);
  if (libraries.length > 0) files.set('THIRD_PARTY.txt', Buffer.from(licences(libraries)));
  publish(outdir, files);
}

function emitTypes() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) fail('the declarations could not be written');
}

/** The entries that exist. */
function present(entries) {
  return entries.filter((entry) => {
    if (existsSync(join(root, entry.in))) return true;
    if (flags.strict) fail(`${entry.in} is missing`);
    return false;
  });
}

/** The names of the packages whose code is in a bundle. */
function librariesIn(metafile) {
  const names = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(slashes(input))?.[1];
      if (name && bytesInOutput > 0) names.add(name);
    }
  }
  return [...names];
}

/** The full licences of these packages. */
function licences(names) {
  const sections = [...names].toSorted(byName).map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const find = (pattern) => {
      const file = readdirSync(folder).find((entry) => pattern.test(entry));
      return file && readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
    };
    // A few packages have it at the end of their readme only.
    const text = (find(/^licen[cs]e/i) ?? find(/^readme/i)?.split(/^#+ licen[cs]e$/im)[1])?.trim();
    if (!text) return fail(`${name} comes without a licence`);
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `Parts of these packages are bundled here.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Writes only changed files and removes those no longer built, so that an unchanged build touches nothing. */
function publish(outdir, files) {
  mkdirSync(outdir, { recursive: true });
  for (const [name, contents] of files) {
    const path = join(outdir, name);
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    // Replaced by rename, so that a program that starts meanwhile reads the old file or the new one, never half of
    // one.
    const unfinished = join(outdir, `.${name}.${process.pid}`);
    writeFileSync(unfinished, contents);
    renameSync(unfinished, path);
  }
  for (const entry of readdirSync(outdir, { withFileTypes: true })) {
    const ours = entry.isFile() && !entry.name.startsWith('.');
    if (ours && !files.has(entry.name)) rmSync(join(outdir, entry.name), { force: true });
  }
}

function isFresh() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint();
}

/** One hash of the flags, the sources and the committed bundles. It uses no file times, because a clone resets them. */
function fingerprint() {
  const hash = createHash('sha256').update(String(flags.only));
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
