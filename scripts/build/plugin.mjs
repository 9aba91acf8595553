// plugin/dist: the programs that a host starts, and the files beside them (seams.mjs).

import { join } from 'node:path';
import { root } from '../root.mjs';
import { bundledIn } from './bundled.mjs';
import { asAscii, bundling, fail, publish, withLicences, written } from './bundling.mjs';
import { SEAMS, exportsOf, seams, withEachImportOnce } from './seams.mjs';

const PROGRAMS = [
  { in: 'src/programs/hook.ts', out: 'hook.cjs' },
  { in: 'src/programs/hook-program.ts', out: 'hook-program.cjs' },
  { in: 'src/programs/status-line.ts', out: 'status-line.cjs' },
  { in: 'src/programs/wake.ts', out: 'wake.cjs' },
  { in: 'src/programs/sender.ts', out: 'sender.cjs' },
  { in: 'src/programs/supervisor.ts', out: 'runner.cjs' },
  { in: 'src/programs/hooks-runner.ts', out: 'hooks-runner.cjs' },
  { in: 'src/programs/reviewer.ts', out: 'reviewer.cjs' },
  { in: 'src/programs/acp.ts', out: 'acp.cjs' },
  { in: 'src/programs/load-thread.ts', out: 'load-thread.cjs' },
  { in: 'src/programs/mcp.ts', out: 'mcp.cjs' },
];
/** The only files of the plugin that bundle a library. No hook loads the server. */
const WITH_LIBRARIES = ['markdown.cjs', 'mcp-server.cjs'];
/** It loads other people's modules, which may be CommonJS or ESM, so import() must stay as it is. */
const WITH_IMPORTS = ['hooks-runner.cjs'];
const BANNERS = {
  // The schemas of its library are parsed a few times per call: compiling each costs more than it saves.
  'mcp-server.cjs': 'globalThis.__zod_globalConfig={jitless:true};',
};

export async function buildPlugin(esbuild, outdir, libraries) {
  const siblings = Object.entries(SEAMS).map(([out, modules]) => ({
    out,
    from: { stdin: { contents: exportsOf(modules), resolveDir: root, sourcefile: out } },
  }));
  const programs = PROGRAMS.map((program) => ({ out: program.out, from: { entryPoints: [program.in] } }));
  const files = new Map();
  const inPlugin = new Set();
  for (const { out, from } of [...siblings, ...programs]) {
    const { code, used } = await bundle(esbuild, join(outdir, out), out, from);
    for (const name of used) inPlugin.add(name);
    files.set(out, Buffer.from((BANNERS[out] ?? '') + code));
  }
  withLicences(files, inPlugin, libraries);
  publish(outdir, files);
}

async function bundle(esbuild, outfile, out, from) {
  const result = await esbuild.build({
    ...bundling,
    ...from,
    outfile,
    format: 'cjs',
    // Across modules only this pass can put constants in place. The names stay, for the imports below.
    minifySyntax: true,
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    plugins: [seams(out)],
  });
  const used = bundledIn(result.metafile);
  if (!WITH_LIBRARIES.includes(out) && used.length > 0)
    fail(`${out} must hold our own code only, but bundles ${used.join(', ')}`);
  const [{ text }] = result.outputFiles;
  if (!WITH_IMPORTS.includes(out) && /\bimport\(/.test(text)) fail(`${out} holds an import()`);
  // V8 compiles every byte at every stop, so we keep the bundle small. The second pass also drops esbuild's
  // own helpers that are no longer used.
  const { code } = await esbuild.transform(withEachImportOnce(text), {
    ...written,
    format: 'cjs',
    treeShaking: true,
    minify: true,
    charset: 'ascii',
  });
  return { code: asAscii(code), used };
}
