// The bundle of the command line, in a few files: packs. Each module of ours becomes a function that runs
// when something in it is first used, and the functions stand in as few files as have a purpose of their own.
// So a start reads and runs what its command needs, however much the source imports.

import { createHash } from 'node:crypto';
import { join, posix, relative } from 'node:path';
import { root } from '../root.mjs';
import { asAscii, bundling, fail, written } from './bundling.mjs';
import { slashes } from './seams.mjs';

/** Not written: only the paths in it count. */
const OUT = join(root, 'packs');
/** Of Node's own modules, those that every start has loaded. The others are loaded when first used. */
const EAGER = ['fs', 'path'];

/**
 * `doors`: the modules that can be asked for by name. `packs`: each file, and the modules with which it
 * begins. It also has all that they import, and unless it is the first, what they load later. The first pack
 * that wants a module has it. Returns the files, and what esbuild knows of them.
 */
export async function buildPacks(esbuild, { doors, packs, ...options }) {
  const { outputFiles, metafile } = await eachModule(esbuild, Object.values(doors), options);
  const texts = new Map(outputFiles.map(({ path, text }) => [slashes(relative(root, path)), text]));
  const chunks = chunksIn(metafile.outputs);
  for (const module of Object.values(doors)) chunkOf(chunks, module).isNamed = true;
  for (const { later } of chunks.values()) for (const path of later) chunks.get(path).isNamed = true;
  const packOf = placed(chunks, packs);
  const functions = new Map();
  for (const path of packOf.keys()) {
    const chunk = chunks.get(path);
    const body = await asFunction(esbuild, chunk, texts.get(chunk.path), chunks);
    functions.set(path, `${chunk.id}(module) {\n${body}}`);
  }
  const build = createHash('sha256')
    .update([...functions.values()].join())
    .digest('hex')
    .slice(0, 12);
  const files = [...packs.keys()].map((file, at) => {
    const own = [...packOf.keys()].filter((path) => packOf.get(path) === file);
    const table = own.map((path) => functions.get(path)).join(',\n');
    const text = at === 0 ? mainPack(table, { chunks, packOf, doors, file, build }) : otherPack(table, build);
    return [file, text];
  });
  return { files, metafile };
}

/** Each module of ours stands alone: it is an entry, and so is no part of a larger chunk. */
async function eachModule(esbuild, entryPoints, options) {
  const all = { ...bundling, ...options, outdir: OUT, outbase: root, format: 'esm', splitting: true };
  // Across modules only this pass can put constants in place. The names stay, for what is read below.
  const build = (entries) => esbuild.build({ ...all, entryPoints: entries, minifySyntax: true });
  const { metafile } = await build(entryPoints);
  const ours = Object.keys(metafile.inputs).filter((path) => /^src\/[\w./-]+\.ts$/.test(slashes(path)));
  return build([...new Set([...entryPoints, ...ours])]);
}

/** Their order does not change as long as the sources do not. */
function chunksIn(outputs) {
  const paths = Object.keys(outputs).toSorted((a, b) => (a < b ? -1 : 1));
  return new Map(
    paths.map((path, id) => {
      const { imports, entryPoint, exports } = outputs[path];
      const ours = imports.filter(({ external }) => !external);
      const of = (kind) => ours.filter((one) => one.kind === kind).map((one) => one.path);
      const names = new Map(exports.toSorted().map((name, at) => [name, at]));
      return [
        path,
        { id, path, entryPoint, names, needs: of('import-statement'), later: of('dynamic-import') },
      ];
    }),
  );
}

/** Which pack has which chunk. */
function placed(chunks, packs) {
  const packOf = new Map();
  const [main] = packs.keys();
  const place = (path, file, seen) => {
    if (seen.has(path)) return;
    seen.add(path);
    if (!packOf.has(path)) packOf.set(path, file);
    const { needs, later } = chunks.get(path);
    // The first pack is for commands that have little to do.
    for (const needed of file === main ? needs : [...needs, ...later]) place(needed, file, seen);
  };
  for (const [file, modules] of packs) {
    const seen = new Set();
    for (const module of modules) place(chunkOf(chunks, module).path, file, seen);
  }
  for (const path of packOf.keys()) refuseCircle(chunks, path);
  return packOf;
}

function chunkOf(chunks, module) {
  return [...chunks.values()].find(({ entryPoint }) => entryPoint === module) ?? fail(`no module ${module}`);
}

/** Modules that import each other would see each other half made. */
function refuseCircle(chunks, path, above = []) {
  const { needs, isStraight } = chunks.get(path);
  if (isStraight) return;
  if (above.includes(path)) fail(`modules import each other: ${[...above, path].join(' ')}`);
  for (const needed of needs) refuseCircle(chunks, needed, [...above, path]);
  chunks.get(path).isStraight = true;
}

/** The module as a function body. `$u` and `$n` are `use` and `node` below: no source has such a name. */
async function asFunction(esbuild, chunk, text, chunks) {
  if (/\$[un]\b/.test(text)) fail(`${chunk.path} has a name that the packs need`);
  const { code } = await esbuild.transform(text, {
    ...written,
    format: 'cjs',
    supported: { 'dynamic-import': false },
  });
  const other = (name) =>
    chunks.get(posix.join(posix.dirname(chunk.path), name)) ?? fail(`${chunk.path} imports ${name}`);
  const linked = whereUsed(exportedAtEnd(code, chunk), other).replaceAll(
    /\brequire\("(\.[^"]+\.js)"\)/g,
    (_, name) => {
      if (!other(name).isNamed) fail(`${chunk.path} imports ${name} as a whole`);
      return `$u(${other(name).id})`;
    },
  );
  const options = { ...written, format: 'cjs', treeShaking: true, minify: true, charset: 'ascii' };
  return asAscii((await esbuild.transform(linked, options)).code);
}

/** Asks for another module where it is used, and not at the start of this one. */
function whereUsed(code, other) {
  const required = /^var (import_\w+) = require\("(node:|\.)([^"]+)"\);$/gm;
  const members = new Map();
  const rest = code.replaceAll(required, (line, name, kind, of) => {
    if (kind === 'node:' && EAGER.includes(of)) return line;
    const chunk = kind === 'node:' ? null : other(kind + of);
    members.set(name, (member) =>
      chunk === null ? `$n("${of}").${member}` : `$u(${chunk.id}).${nameIn(chunk, member)}`,
    );
    return '';
  });
  const place = (all, name, member) => members.get(name)?.(member) ?? all;
  const made = (all, name, member) => `new (${place(all.replace('new ', ''), name, member)})`;
  return rest
    .replaceAll(/\bnew (import_\w+)\.(\w+)/g, made)
    .replaceAll(/\(0, (import_\w+)\.(\w+)\)/g, place)
    .replaceAll(/\b(import_\w+)\.(\w+)/g, place);
}

/** esbuild's own exports would be a getter each. */
function exportedAtEnd(code, chunk) {
  const exported =
    /^__export\(stdin_exports, \{\n([^}]*)\}\);\nmodule\.exports = __toCommonJS\(stdin_exports\);$/m;
  const list = exported.exec(code)?.[1];
  if (list === undefined) return code;
  const members = Array.from(
    list.matchAll(/^ {2}(\w+): \(\) => ([\w.]+),?$/gm),
    ([, name, value]) => `${nameIn(chunk, name)}: ${value}`,
  );
  return `${code.replace(exported, '')}\nmodule.exports = { ${members.join(', ')} };`;
}

/** A short one, unless somebody asks for the module with all that it exports. */
function nameIn({ names, isNamed, path }, name) {
  if (isNamed) return name;
  const at = names.get(name) ?? fail(`${path} has no ${name}`);
  return `${String.fromCodePoint(97 + (at % 26))}${at < 26 ? '' : Math.trunc(at / 26)}`;
}

/** `build`: a program that runs while Da Capo is updated must not take a part of the new one. */
function mainPack(table, { chunks, packOf, doors, file, build }) {
  const elsewhere = [...chunks.values()].filter(({ path }) => ![undefined, file].includes(packOf.get(path)));
  const files = [...new Set(elsewhere.map(({ path }) => packOf.get(path)))];
  const idsIn = (pack) => elsewhere.filter(({ path }) => packOf.get(path) === pack).map(({ id }) => id);
  const opened = Object.entries(doors).map(
    ([door, module]) => `${door}: () => $u(${chunkOf(chunks, module).id})`,
  );
  return `const used = [], builtins = {}, modules = {\n${table}\n};
const packs = { ${files.map((pack) => `'${pack}': [${idsIn(pack).join()}]`).join(', ')} };
function $u(id) { return used[id] ?? start(id); }
function $n(name) { return (builtins[name] ??= require('node:' + name)); }
function start(id) {
  const module = { exports: {} };
  used[id] = module.exports;
  (modules[id] ?? inPack(id))(module);
  return (used[id] = module.exports);
}
function inPack(id) {
  const file = Object.keys(packs).find((pack) => packs[pack].includes(id));
  const pack = require('./' + file);
  if (pack.build !== '${build}') throw new Error('Da Capo was updated while it ran. Start it again.');
  Object.assign(modules, pack.modules($u, $n));
  return modules[id];
}
module.exports = { ${opened.join(', ')} };
`;
}

function otherPack(table, build) {
  return `module.exports = { build: '${build}', modules: ($u, $n) => ({\n${table}\n}) };\n`;
}
