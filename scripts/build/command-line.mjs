// dist: the command line, the child of a worker and the library. All three are doors of one bundle,
// program.cjs. What the plugin has already (the hook of a protocol, the MCP server) is not built again: the
// package holds both folders.

import { chmodSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../root.mjs';
import { bundledIn } from './bundled.mjs';
import { bundling, publish, withLicences } from './bundling.mjs';
import { moduleAt, seams } from './seams.mjs';

const BUNDLE = './program.cjs';
/** The doors of the bundle: the module behind each runs when the door is opened. */
const DOORS = {
  cli: 'src/surfaces/cli/program.ts',
  driven: 'src/fleet/driven/main.ts',
  library: 'src/surfaces/library/calls.ts',
};
/** Modules that are behind a seam of the plugin (seams.mjs), in this file. */
const IN_PLUGIN = {
  'src/surfaces/cli/hook-protocol.ts': '../plugin/dist/hook-protocol.cjs',
  'src/surfaces/mcp/http.ts': '../plugin/dist/mcp-server.cjs',
};
/** Files of the plugin that the bundle calls instead of holding the same code: large, and seldom used. */
const SHARED = ['markdown.cjs', 'ground.cjs'];
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
const RUN_COMPILED = './src/surfaces/cli/run-compiled.ts';
const LOAD_BUNDLE = './src/surfaces/library/load-bundle.ts';

export async function buildCommandLine(esbuild, libraries) {
  const outdir = join(root, 'dist');
  // Flat, so that import.meta.dirname is dist/ in every chunk. `pg` can do without its optional part in C.
  const options = { ...bundling, outdir, format: 'esm', chunkNames: 'chunk-[hash]', external: ['pg-native'] };
  const results = [
    await esbuild.build({ ...options, entryPoints: PROGRAMS, plugins: [doors()] }),
    await esbuild.build({
      ...options,
      entryPoints: LIBRARY,
      plugins: [doors()],
      splitting: true,
      minify: true,
    }),
    await esbuild.build({
      ...options,
      stdin: { contents: doorsText(), resolveDir: root, sourcefile: 'program.ts' },
      entryNames: 'program',
      outExtension: { '.js': '.cjs' },
      format: 'cjs',
      minify: true,
      charset: 'ascii',
      define: { 'import.meta.dirname': '__dirname' },
      plugins: [pluginFiles(), seams('program.cjs', { into: SHARED, folder: '../plugin/dist' })],
    }),
  ];
  const files = new Map();
  for (const file of results.flatMap(({ outputFiles }) => outputFiles)) {
    const name = relative(outdir, file.path);
    const shebang = name === 'cli.js' && !file.text.startsWith('#!') ? '#!/usr/bin/env node\n' : '';
    files.set(name, Buffer.from(shebang + file.text));
  }
  withLicences(files, new Set(results.flatMap(({ metafile }) => bundledIn(metafile))), libraries);
  publish(outdir, files);
  chmodSync(join(outdir, 'cli.js'), 0o755);
}

/** `require` and not `import`: esbuild then wraps each module, and a door runs only what it needs. */
function doorsText() {
  const lines = Object.entries(DOORS).map(([door, module]) => `${door}: () => require('./${module}'),`);
  return `module.exports = {\n${lines.join('\n')}\n};`;
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
    `import { runCompiled } from '${RUN_COMPILED}'; module.exports = runCompiled('${file}');`,
  ]);
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
