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
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compiledAtOnce } from './eager.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'dist/.stamp');

// Modules that the plugin's programs load only when they need them: source, and the file beside the bundle.
const LAZY = {
  'src/proofs/promise/tags.ts': 'markdown.cjs',
  'src/hearing/prove.ts': 'prove.cjs',
  'src/hearing/nesting.ts': 'inner.cjs',
  'src/proofs/stop-hooks/evaluate.ts': 'hooks.cjs',
  'src/hearing/others.ts': 'others.cjs',
  'src/hearing/limits.ts': 'limits.cjs',
  'src/guard/hear.ts': 'tampering.cjs',
  'src/hosts/claude-code/hook/sessions.ts': 'live-sessions.cjs',
  'src/hosts/claude-code/hook/cap.ts': 'cap.cjs',
  'src/hosts/claude-code/hook/usage.ts': 'usage.cjs',
};

// The same for a module that its importer calls without waiting, in the hook program alone: importer, module, its
// functions, file. A stop whose cache is fresh reads no event, and folds only its own.
const LAZY_CALLS = [
  {
    importer: 'src/store/file/journal.ts',
    module: 'src/core/events.ts',
    functions: ['readEvent'],
    sibling: 'events.cjs',
  },
  {
    importer: 'src/core/fold/index.ts',
    module: 'src/core/fold/lifecycle.ts',
    functions: ['begin', 'happened'],
    sibling: 'happened.cjs',
  },
];

const HOOK = 'hook.cjs';
const PLUGIN_ENTRIES = [
  { in: 'src/hook/main.ts', out: HOOK, libraries: false },
  { in: 'src/hook/wake.ts', out: 'wake.cjs', libraries: false },
  { in: 'src/core/events.ts', out: 'events.cjs', libraries: false },
  { in: 'src/core/fold/lifecycle.ts', out: 'happened.cjs', libraries: false },
  { in: 'src/hearing/others.ts', out: 'others.cjs', libraries: false },
  { in: 'src/hearing/prove.ts', out: 'prove.cjs', libraries: false },
  { in: 'src/hearing/nesting.ts', out: 'inner.cjs', libraries: false },
  { in: 'src/hearing/limits.ts', out: 'limits.cjs', libraries: false },
  { in: 'src/guard/hear.ts', out: 'tampering.cjs', libraries: false },
  { in: 'src/hosts/claude-code/hook/sessions.ts', out: 'live-sessions.cjs', libraries: false },
  { in: 'src/hosts/claude-code/hook/cap.ts', out: 'cap.cjs', libraries: false },
  { in: 'src/hosts/claude-code/hook/usage.ts', out: 'usage.cjs', libraries: false },
  { in: 'src/proofs/stop-hooks/evaluate.ts', out: 'hooks.cjs', libraries: false },
  { in: 'src/process/supervisor.ts', out: 'runner.cjs', libraries: false },
  // It loads the modules of other people, which may be of either kind: import() stays what it is.
  { in: 'src/stop-hooks/runner.ts', out: 'hooks-runner.cjs', libraries: false, imports: true },
  { in: 'src/proofs/promise/tags.ts', out: 'markdown.cjs', libraries: true },
];
const CLI_ENTRIES = [
  { in: 'src/cli/main.ts', out: 'cli' },
  { in: 'src/index.ts', out: 'index' },
  { in: 'src/stop-hooks/index.ts', out: 'stop-hooks' },
  { in: 'src/process/watchdog-program.ts', out: 'watchdog' },
];

const lazySiblings = {
  name: 'lazy-siblings',
  setup(build) {
    build.onResolve({ filter: /^\./ }, (args) => {
      if (args.kind !== 'dynamic-import') return undefined;
      const sibling = LAZY[slashes(relative(root, resolve(args.resolveDir, args.path)))];
      return sibling && { path: `./${sibling}`, external: true };
    });
  },
};

const lazyCalls = {
  name: 'lazy-calls',
  setup(build) {
    build.onResolve({ filter: /^\./ }, (args) => {
      if (args.namespace === 'lazy-call') return { path: args.path, external: true };
      const from = slashes(relative(root, args.importer));
      const to = slashes(relative(root, resolve(args.resolveDir, args.path)));
      const lazy = LAZY_CALLS.find(({ importer, module }) => importer === from && module === to);
      return lazy && { path: to, namespace: 'lazy-call', pluginData: lazy };
    });
    build.onLoad({ filter: /./, namespace: 'lazy-call' }, ({ pluginData: { functions, sibling } }) => ({
      contents: functions
        .map((name) => `export const ${name} = (...given) => require('./${sibling}').${name}(...given);`)
        .join('\n'),
      loader: 'js',
    }));
  },
};

const written = {
  platform: 'node',
  target: 'node20.19',
  charset: 'utf8',
  // Licences of bundled libraries go to THIRD_PARTY.txt, whole.
  legalComments: 'none',
  // The project's compiler options matter to tsc only; reading them here would tie the bytes to them.
  tsconfigRaw: {},
};
const shared = {
  ...written,
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
    // The bundler has already said what is wrong, and where.
    if (!Array.isArray(error.errors)) throw error;
    process.exit(1);
  }
}

async function build() {
  // Only now, as this costs more than all the above.
  const esbuild = await import('esbuild');
  if (flags.only !== 'cli') await buildPlugin(esbuild, resolve(flags['plugin-out']));
  if (flags.only !== 'plugin') {
    await buildCli(esbuild);
    writeFileSync(stampFile, fingerprint());
  }
  if (flags.types) emitTypes();
}

async function buildPlugin(esbuild, outdir) {
  const files = new Map();
  const libraries = new Set();
  for (const entry of present(PLUGIN_ENTRIES)) {
    const result = await esbuild.build({
      ...shared,
      entryPoints: [entry.in],
      outfile: join(outdir, entry.out),
      format: 'cjs',
      // Every byte is compiled at every stop.
      minify: true,
      define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
      plugins: entry.out === HOOK ? [lazySiblings, lazyCalls] : [lazySiblings],
    });
    const used = librariesIn(result.metafile);
    if (!entry.libraries && used.length > 0)
      fail(`${entry.out} must hold our own code only, but bundles ${used.join(', ')}`);
    for (const name of used) libraries.add(name);
    for (const file of result.outputFiles) {
      // Once more, to drop esbuild's own helpers where nothing needs them any longer.
      const { code } = await esbuild.transform(requiring(file.text, entry.imports === true), {
        ...written,
        treeShaking: true,
        minify: true,
      });
      files.set(relative(outdir, file.path), Buffer.from(code));
    }
  }
  if (files.has(HOOK)) files.set(HOOK, Buffer.from(compiledAtOnce(files, HOOK)));
  if (libraries.size > 0) files.set('THIRD_PARTY.txt', Buffer.from(licences(libraries)));
  publish(outdir, files);
}

/**
 * import() becomes a lazy require(): the same file, without starting Node's ESM loader.
 * And each of Node's modules is required once, not for every source that imports it: that takes 20 µs each time.
 */
function requiring(bundle, imports) {
  let head = '';
  let code = bundle.replace(/\bimport\(("\.\/[\w-]+\.cjs")\)/g, 'Promise.resolve().then(()=>require($1))');
  if (!imports && /\bimport\(/.test(code))
    fail('a bundle has an import() of something else than a file beside it');
  for (const [module, name] of [
    ['node:fs', '$fs'],
    ['node:path', '$path'],
  ]) {
    const call = `require("${module}")`;
    if (code.split(call).length < 3) continue;
    if (code.includes(name)) fail(`a bundle has its own ${name}`);
    head += `var ${name}=${call};`;
    code = code.replaceAll(call, () => name);
  }
  return head + code;
}

async function buildCli(esbuild) {
  const outdir = join(root, 'dist');
  const entries = present(CLI_ENTRIES);
  if (entries.length === 0) return publish(outdir, new Map());
  const result = await esbuild.build({
    ...shared,
    entryPoints: entries,
    outdir,
    format: 'esm',
    splitting: true,
    // Flat, so that import.meta.dirname is dist/ in every chunk.
    chunkNames: 'chunk-[hash]',
    // commander is CommonJS inside, and requires Node's own modules.
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`,
    },
  });
  const files = new Map();
  for (const file of result.outputFiles) {
    const name = relative(outdir, file.path);
    const shebang = name === 'cli.js' && !file.text.startsWith('#!') ? '#!/usr/bin/env node\n' : '';
    files.set(name, Buffer.from(shebang + file.text));
  }
  const libraries = librariesIn(result.metafile);
  if (libraries.length > 0) files.set('THIRD_PARTY.txt', Buffer.from(licences(libraries)));
  publish(outdir, files);
  if (files.has('cli.js')) chmodSync(join(outdir, 'cli.js'), 0o755);
}

function emitTypes() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) fail('the declarations could not be written');
}

/** Which of these entries exist. */
function present(entries) {
  return entries.filter((entry) => {
    if (existsSync(join(root, entry.in))) return true;
    if (flags.strict) fail(`${entry.in} is missing`);
    return false;
  });
}

/** Names of the packages whose code is in a bundle. */
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

/** The licences of these packages, in full. */
function licences(names) {
  const sections = [...names].toSorted(byName).map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) return fail(`${name} comes without a licence file`);
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `Parts of these packages are bundled here.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Writes what changed and removes what is no longer built, so that a build that changes nothing touches nothing. */
function publish(outdir, files) {
  mkdirSync(outdir, { recursive: true });
  for (const [name, contents] of files) {
    const path = join(outdir, name);
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    // By rename: a program that starts meanwhile reads the old file or the new one, never half of it.
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

/** One hash of all that was asked for, read and committed: no clock, since a clone sets every time anew. */
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

/** The same order in every locale. */
function byName(a, b) {
  return a < b ? -1 : 1;
}

function slashes(path) {
  return path.split(sep).join('/');
}

function fail(message) {
  console.error(`build: ${message}`);
  process.exit(1);
}
