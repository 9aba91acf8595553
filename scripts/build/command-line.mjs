// dist: the command line, the child of a worker and the library. All three are doors of one bundle,
// program.cjs. What the plugin has already (the hook of a protocol, the MCP server) is not built again: the
// package holds both folders.

import { chmodSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../root.mjs';
import { bundledIn } from './bundled.mjs';
import { asAscii, bundling, publish, withLicences } from './bundling.mjs';
import { buildPacks } from './packs.mjs';
import { functionsOf, moduleAt, seams } from './seams.mjs';

const BUNDLE = './program.cjs';
/** The doors of the bundle: the module behind each runs when the door is opened. */
const DOORS = {
  cli: 'src/surfaces/cli/program.ts',
  driven: 'src/fleet/driven/main.ts',
  library: 'src/surfaces/library/calls.ts',
};
/**
 * The files of the bundle. The first one is for commands that people type all day: a start reads all of it.
 */
const PACKS = new Map([
  [
    'program.cjs',
    [
      'src/surfaces/cli/program.ts',
      'src/surfaces/cli/look/status/overview.ts',
      'src/surfaces/cli/look/status/status.ts',
      'src/surfaces/cli/look/status/list.ts',
      'src/surfaces/cli/look/verbs.ts',
      'src/surfaces/cli/terminal/help.ts',
      'src/surfaces/cli/look/explain.ts',
      'src/surfaces/cli/look/logs.ts',
      'src/surfaces/cli/setup/doctor.ts',
      'src/surfaces/cli/setup/init.ts',
    ],
  ],
  ['run.cjs', ['src/surfaces/cli/begin/run.ts', 'src/surfaces/cli/begin/start.ts']],
  ['rest.cjs', Object.values(DOORS)],
]);
/** Modules that are behind a seam of the plugin (seams.mjs), in this file. */
const IN_PLUGIN = {
  'src/surfaces/cli/hook-protocol.ts': '../plugin/dist/hook-protocol.cjs',
  'src/surfaces/mcp/http.ts': '../plugin/dist/mcp-server.cjs',
};
/** Files of the plugin that the bundle calls instead of holding the same code: large, and seldom used. */
const SHARED = ['git.cjs', 'markdown.cjs', 'ground.cjs', 'lists.cjs', 'notify.cjs'];
/** The programs themselves. They are small. */
const PROGRAMS = [
  { in: 'src/programs/cli.ts', out: 'cli' },
  { in: 'src/programs/driven.ts', out: 'driven' },
  { in: 'src/programs/watchdog.ts', out: 'watchdog' },
];
const LIBRARY = [
  { in: 'src/surfaces/library/index.ts', out: 'index' },
  { in: 'src/surfaces/stop-hooks/index.ts', out: 'stop-hooks' },
];
/** Functions of Node's that the bundle loads when it first calls one: their modules take longest to load. */
const LOADED_WHEN_CALLED = {
  'node:child_process': ['fork', 'spawn', 'spawnSync'],
  'node:crypto': ['createHash', 'createHmac', 'randomBytes', 'randomUUID', 'timingSafeEqual'],
  'node:timers/promises': ['setTimeout'],
  'node:v8': ['setFlagsFromString'],
};
const RUN_COMPILED = './src/surfaces/cli/run-compiled.ts';
const LOAD_BUNDLE = './src/surfaces/library/load-bundle.ts';

export async function buildCommandLine(esbuild, libraries) {
  const outdir = join(root, 'dist');
  // Flat, so that import.meta.dirname is dist/ in every chunk. `pg` can do without its optional part in C.
  const options = { ...bundling, outdir, format: 'esm', chunkNames: 'chunk-[hash]', external: ['pg-native'] };
  // Node starts CommonJS a fifth faster than ES modules.
  const commonjs = {
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.dirname': '__dirname' },
  };
  const results = [
    await esbuild.build({
      ...options,
      ...commonjs,
      entryPoints: PROGRAMS,
      // Node compiles them at each start.
      minify: true,
      plugins: [doors(), nodeFunctions()],
    }),
    await esbuild.build({
      ...options,
      entryPoints: LIBRARY,
      plugins: [doors()],
      splitting: true,
      minify: true,
    }),
  ];
  const program = await buildPacks(esbuild, {
    doors: DOORS,
    packs: PACKS,
    define: commonjs.define,
    external: ['pg-native'],
    plugins: [pluginFiles(), seams('program.cjs', { into: SHARED, folder: '../plugin/dist' })],
  });
  const files = new Map(program.files.map(([name, code]) => [name, Buffer.from(code)]));
  for (const file of results.flatMap(({ outputFiles }) => outputFiles)) {
    const name = relative(outdir, file.path);
    const shebang = name === 'cli.cjs' && !file.text.startsWith('#!') ? '#!/usr/bin/env node\n' : '';
    files.set(name, Buffer.from(shebang + (name.endsWith('.cjs') ? asAscii(file.text) : file.text)));
  }
  withLicences(
    files,
    new Set([...results, program].flatMap(({ metafile }) => bundledIn(metafile))),
    libraries,
  );
  publish(outdir, files);
  chmodSync(join(outdir, 'cli.cjs'), 0o755);
}

/** Where a program imports what is behind a door of the bundle, or a file of the plugin, that is loaded. */
function doors() {
  const behind = Object.entries(DOORS).map(([door, module]) => [module, openingOf(door)]);
  return replaceImports('doors', [...behind, ...pluginOpenings()]);
}

/** Inside the bundle the doors are modules like all others. */
function pluginFiles() {
  return replaceImports('plugin-files', pluginOpenings());
}

function openingOf(door) {
  if (door === 'library') return libraryOpening();
  return `import { runCompiled } from '${RUN_COMPILED}';
    module.exports = runCompiled('${BUNDLE}', '${door}').${door}();`;
}

/** The bundler splits the library into ES modules, and those need names to export. */
function libraryOpening() {
  const text = readFileSync(join(root, DOORS.library), 'utf8');
  const names = Array.from(text.matchAll(/^export \{([^}]+)\}/gm), ([, list]) => list.trim()).join(', ');
  return `import { loadBundle } from '${LOAD_BUNDLE}';
    export const { ${names} } = loadBundle('${BUNDLE}').library();`;
}

function pluginOpenings() {
  return Object.entries(IN_PLUGIN).map(([module, file]) => [
    module,
    `import { runCompiled } from '${RUN_COMPILED}';
    export const { ${functionsOf(module).join(', ')} } = runCompiled('${file}');`,
  ]);
}

/** Replaces Node's functions by ones that load their module when they are called. */
function nodeFunctions() {
  const textOf = (module) =>
    LOADED_WHEN_CALLED[module].map(
      (name) =>
        `export const ${name} = (...given) => process.getBuiltinModule('${module}').${name}(...given);`,
    );
  return {
    name: 'node-functions',
    setup(build) {
      build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
        kind === 'import-statement' && path in LOADED_WHEN_CALLED
          ? { path, namespace: 'node-functions', sideEffects: false }
          : undefined,
      );
      build.onLoad({ filter: /./, namespace: 'node-functions' }, ({ path }) => ({
        contents: textOf(path).join('\n'),
      }));
    },
  };
}

/** Replaces what an `import()` of a module loads by the text given for it. */
function replaceImports(name, replaced) {
  const texts = new Map(replaced.map(([module, text]) => [join(root, module), text]));
  return {
    name,
    setup(build) {
      build.onResolve({ filter: /^(\.{1,2}\/|#)/ }, (args) => {
        const path = moduleAt(args);
        return args.kind === 'dynamic-import' && texts.has(path) ? { path, namespace: name } : undefined;
      });
      build.onLoad({ filter: /./, namespace: name }, ({ path }) => ({
        contents: texts.get(path),
        resolveDir: root,
      }));
    },
  };
}
