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

// The seams: files beside the hook that its programs load only when they call into them, and the modules in each.
// The source imports all of these as usual; here a function that is imported across a seam becomes a function that
// requires the file when it is called. Only functions cross a seam: the bundler refuses anything else.
const SEAMS = {
  // What the stop of a live loop runs. Most stops belong to no loop, and the hook should not compile this for them.
  'stop.cjs': [
    'src/hearing/stop.ts',
    'src/hosts/claude-code/hook/transcript.ts',
    'src/store/file/open-loop.ts',
  ],
  'rest.cjs': [
    'src/hearing/commands/command.ts',
    'src/hearing/prompt.ts',
    'src/hearing/session.ts',
    'src/hearing/ending.ts',
    'src/hearing/unshown.ts',
    'src/hearing/hand-written.ts',
    'src/operations/begin/bind.ts',
    'src/views/registry.ts',
    'src/views/progress/hook-log.ts',
    'src/views/vault/history.ts',
  ],
  'prove.cjs': [
    'src/core/waiting/hold.ts',
    'src/core/news.ts',
    'src/core/words/stalls.ts',
    'src/hearing/take-proofs.ts',
    'src/operations/trust/environment.ts',
    'src/text/agent/open-gates.ts',
    'src/text/agent/crowded.ts',
    'src/text/hold.ts',
    'src/text/agent/long-task.ts',
  ],
  'nesting.cjs': [
    'src/core/nesting.ts',
    'src/guard/removed-items.ts',
    'src/hearing/read-items.ts',
    'src/text/nesting.ts',
  ],
  'guard.cjs': [
    'src/guard/hear.ts',
    'src/hosts/claude-code/hook/ground.ts',
    'src/hosts/claude-code/hook/tools.ts',
  ],
  // Only for loops in which calls need an approval.
  'approval.cjs': ['src/hearing/approval.ts'],
  'requests.cjs': [
    'src/operations/requests/ask.ts',
    'src/operations/requests/news.ts',
    'src/text/requests.ts',
  ],
  'stop-hooks.cjs': [
    'src/proofs/stop-hooks/ask.ts',
    'src/proofs/stop-hooks/config-trust.ts',
    'src/proofs/stop-hooks/configure.ts',
  ],
  // Only for a config with code of its own.
  'hook-loading.cjs': ['src/stop-hooks/loading/hook-loading.ts'],
  'sinks.cjs': ['src/sinks/sink.ts', 'src/sinks/hook-sinks.ts'],
  'notify.cjs': ['src/sinks/notify.ts'],
  'markdown.cjs': ['src/proofs/promise/said.ts'],
  // A stop whose cache is fresh reads no event, and folds only its own.
  'events.cjs': [
    'src/core/record/events.ts',
    'src/core/fold/begin.ts',
    'src/core/fold/frames.ts',
    'src/core/fold/lifecycle.ts',
    'src/core/fold/requests.ts',
    'src/store/file/read-journal.ts',
  ],
  // A common stop opens one loop and looks up one session.
  'store.cjs': [
    'src/store/liveness.ts',
    'src/store/spawned.ts',
    'src/store/file/read-only.ts',
    'src/store/file/rest.ts',
    'src/store/file/watch.ts',
    'src/store/file/write-blobs.ts',
  ],
  'host.cjs': [
    'src/hosts/claude-code/hook/sessions.ts',
    'src/hosts/claude-code/hook/cap.ts',
    'src/hosts/claude-code/hook/rare-events.ts',
    'src/hosts/claude-code/hook/usage.ts',
    'src/hosts/claude-code/hook/wake-ups.ts',
  ],
  // The server answers its first request without any of this.
  'mcp-work.cjs': [
    'src/claims/claim.ts',
    'src/mcp/loop-request.ts',
    'src/mcp/meant-loop.ts',
    'src/mcp/read-loop.ts',
    'src/operations/agent/say.ts',
    'src/operations/agent/nest-for-tool.ts',
    'src/operations/agent/start-for-tool.ts',
    'src/stop-hooks/ask-data.ts',
    'src/tasks/checkpoints.ts',
    'src/tasks/commands.ts',
    'src/tasks/evaluate-hooks.ts',
    'src/tasks/hooks.ts',
    'src/tasks/judge-run.ts',
    'src/tasks/results.ts',
    'src/tasks/start-run.ts',
    'src/tasks/task.ts',
  ],
};
const SIBLING_OF = new Map(
  Object.entries(SEAMS).flatMap(([sibling, modules]) => modules.map((module) => [module, sibling])),
);

const HOOK = 'hook.cjs';
const STOP = 'stop.cjs';
const PROGRAMS = [
  { in: 'src/hook/main.ts', out: HOOK },
  { in: 'src/hook/wake.ts', out: 'wake.cjs' },
  { in: 'src/hook/sender.ts', out: 'sender.cjs' },
  { in: 'src/process/supervisor.ts', out: 'runner.cjs' },
  // It loads other people's modules, which may be CommonJS or ESM, so import() must stay as it is.
  { in: 'src/stop-hooks/runner.ts', out: 'hooks-runner.cjs', imports: true },
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
const CLI_ENTRIES = [
  { in: 'src/cli/main.ts', out: 'cli' },
  { in: 'src/index.ts', out: 'index' },
  { in: 'src/stop-hooks/index.ts', out: 'stop-hooks' },
  { in: 'src/process/watchdog-program.ts', out: 'watchdog' },
];

/** The page of `dacapo ui`: what a browser gets. */
const PAGE = 'src/ui/page';
/** The browsers of the last two years. */
const BROWSERS = ['chrome120', 'firefox121', 'safari17'];

/** In the file `out`, replaces functions of another file of the plugin by calls into that file. */
const seams = (out) => ({
  name: 'seams',
  setup(build) {
    build.onResolve({ filter: /^\./ }, (args) => {
      if (args.path === CALL || args.path === LOAD) return { path: args.path, namespace: 'seam' };
      const module = slashes(relative(root, resolve(args.resolveDir, args.path)));
      const sibling = SIBLING_OF.get(module);
      // Only the hook is cut there. Any other file needs little of stop.cjs, and takes it along.
      const cuts = sibling && sibling !== out && (sibling !== STOP || out === HOOK);
      return cuts ? { path: module, namespace: 'seam', pluginData: sibling } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'seam' }, ({ path, pluginData: sibling }) => ({
      contents: SEAM_CODE[path] ?? callsInto(path, sibling),
      loader: 'js',
    }));
  },
});

/** One function makes all the calls across seams: written out, each would cost the hook 20 bytes more. */
const CALL = './seam-call';
/** Compiles stop.cjs as a part of the hook's own module. `require` would look for the file first (0.3 ms). */
const LOAD = './seam-load';
const SEAM_CODE = {
  [CALL]: 'export const call = (file, name) => (...given) => require(file)[name](...given);',
  [LOAD]: `
    import { readFileSync } from 'node:fs';
    let loaded = false;
    export function load() {
      const file = __dirname + '/${STOP}';
      if (!loaded) module._compile(readFileSync(file, 'utf8'), file);
      loaded = true;
      return module.exports;
    }`,
};

function callsInto(module, sibling) {
  const names = functionsOf(module);
  const calls =
    sibling === STOP
      ? names.map((name) => `export const ${name} = (...given) => load().${name}(...given);`)
      : names.map((name) => `export const ${name} = /* @__PURE__ */ call('./${sibling}', '${name}');`);
  return [`import { load } from '${LOAD}'; import { call } from '${CALL}';`, ...calls].join('\n');
}

function functionsOf(module) {
  const exported = readFileSync(join(root, module), 'utf8').matchAll(/^export (?:async )?function (\w+)/gm);
  return Array.from(exported, ([, name]) => name);
}

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
      contents: modules.map((module) => `export * from './${module}';`).join('\n'),
      resolveDir: root,
      sourcefile: out,
    },
  }));
  for (const { out, in: entry, stdin, imports, banner = '' } of [...present(PROGRAMS), ...siblings]) {
    const result = await esbuild.build({
      ...shared,
      ...(stdin ? { stdin } : { entryPoints: [entry] }),
      outfile: join(outdir, out),
      format: 'cjs',
      // V8 compiles every byte at every stop, so we keep the bundle small.
      minify: true,
      define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
      plugins: [seams(out)],
    });
    const used = librariesIn(result.metafile);
    if (!WITH_LIBRARIES.includes(out) && used.length > 0)
      fail(`${out} must hold our own code only, but bundles ${used.join(', ')}`);
    for (const name of used) libraries.add(name);
    const [{ text }] = result.outputFiles;
    if (!imports && /\bimport\(/.test(text)) fail(`${out} holds an import()`);
    // A second pass drops esbuild's own helpers that are no longer used.
    const { code } = await esbuild.transform(text, { ...written, treeShaking: true, minify: true });
    files.set(out, Buffer.from(banner + code));
  }
  if (files.has(HOOK))
    for (const [name, code] of compiledAtOnce(files, HOOK, STOP)) files.set(name, Buffer.from(code));
  if (libraries.size > 0) files.set('THIRD_PARTY.txt', Buffer.from(licences(libraries)));
  publish(outdir, files);
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
    // commander is CommonJS inside and requires Node's own modules.
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
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) return fail(`${name} comes without a licence file`);
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
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

function slashes(path) {
  return path.split(sep).join('/');
}

function fail(message) {
  console.error(`build: ${message}`);
  process.exit(1);
}
