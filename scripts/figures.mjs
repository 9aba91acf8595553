// Prints the size and shape of the sources as tables, and holds the budgets of the house.
//
//   node scripts/figures.mjs [--json] [--check]
//
// Mass (bytes, lines) only tells: a ceiling of lines was met by joining files and widening lines. What makes
// code easy to read has a bound, with slack: `BUDGETS`. `--check` fails above one, and names what is new
// there.
//
// Lines are counted as by `wc -l`, those of TypeScript, TSX and CSS together. A folder's size is the number
// of TypeScript files directly in it. A wide line has more than 110 columns. A dynamic import is an
// `import(…)` in code; an `import(…)` in a type does not count. A name has two meanings if more than one file
// declares and exports a type, interface or class of that name. The second count includes those that a file
// does not export.

import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { functionsIn } from './functions.mjs';
import { ROOT, filesIn, isDynamicImport, nodesIn, parse, read } from './source.mjs';

const SMALL_FILE_LINES = 40;
const WIDE_LINE_COLUMNS = 110;
const LONG_FUNCTION_LINES = 60;
const MANY_PARAMETERS = 5;
const LONG_FILE_LINES = 300;
const FULL_FOLDER_FILES = 15;

/** What each figure may be at most. Who lowers a figure lowers its bound, and leaves some slack. */
const BUDGETS = {
  floors: 11,
  longFunctions: 10,
  functionsOfManyParameters: 5,
  longFiles: 9,
  fullFolders: 0,
  wideComments: 3,
  wideCodeLines: 40,
  twoMeanings: 2,
};
const SOURCE_ENDINGS = ['.ts', '.tsx', '.css'];
/** Declarations that name a type. */
const TYPES = ['TsInterfaceDeclaration', 'TsTypeAliasDeclaration', 'ClassDeclaration'];

const { values: flags } = parseArgs({
  options: { json: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
});

const sources = filesIn('src').map((file) => {
  const text = read('src', file);
  return { file, lines: linesOf(text), body: parse(text).body };
});
const texts = SOURCE_ENDINGS.flatMap((ending) => filesIn('src', ending)).map((file) => ({
  file,
  text: read('src', file),
}));
const figures = {
  bytes: sum(texts, ({ text }) => Buffer.byteLength(text)),
  lines: sum(texts, ({ text }) => linesOf(text)),
  floors: floors(),
  files: sources.length,
  largestFolder: largestFolder(),
  smallFiles: sources.filter(({ lines }) => lines <= SMALL_FILE_LINES).length,
  lawLines: sum(under('law/'), ({ lines }) => lines),
  dynamicImports: dynamicImports(),
  twoMeanings: twoMeanings(exportedTypes),
  twoMeaningsInAll: twoMeanings(typesIn),
  hookBytes: ['hook.cjs', 'hook-program.cjs', 'stop.cjs'].map(
    (name) => statSync(join(ROOT, 'plugin/dist', name)).size,
  ),
  testLines: sum(filesIn('test', ''), (file) => linesOf(read('test', file))),
};

const code = texts.filter(({ file }) => !file.endsWith('.css'));
const functions = code.flatMap(({ file, text }) => functionsIn(text, file));
const wide = texts.flatMap(({ file, text }) => wideLinesOf(text, file));
/** Per budget, what counts towards it. */
const counted = {
  floors: figures.floors.map(({ floor }) => floor),
  longFunctions: functions.filter(({ lines }) => lines > LONG_FUNCTION_LINES).map(sayFunction),
  functionsOfManyParameters: functions
    .filter(({ parameters }) => parameters >= MANY_PARAMETERS)
    .map(sayFunction),
  longFiles: sources
    .filter(({ lines }) => lines > LONG_FILE_LINES)
    .map(({ file, lines }) => `${file}: ${lines} lines`),
  fullFolders: [...count(sources.map(({ file }) => dirname(file)))]
    .filter(([, files]) => files > FULL_FOLDER_FILES)
    .map(([folder, files]) => `${folder}: ${files} files`),
  wideComments: wide.filter(({ isComment }) => isComment).map(({ at }) => at),
  wideCodeLines: wide.filter(({ isComment }) => !isComment).map(({ at }) => at),
  twoMeanings: figures.twoMeaningsInAll.map(({ name, files }) => `${name}: ${files.join(', ')}`),
};
figures.budgets = Object.entries(BUDGETS).map(([name, most]) => ({ name, now: counted[name].length, most }));

if (flags.check) check();
else if (flags.json) console.log(JSON.stringify(figures, null, 2));
else print(figures);

/** Bytes and lines of each first-level folder, largest first. */
function floors() {
  const byFloor = new Map();
  for (const { file, text } of texts) {
    const floor = file.includes('/') ? file.slice(0, file.indexOf('/')) : '.';
    const known = byFloor.get(floor) ?? { floor, bytes: 0, lines: 0 };
    known.bytes += Buffer.byteLength(text);
    known.lines += linesOf(text);
    byFloor.set(floor, known);
  }
  return [...byFloor.values()].toSorted((a, b) => b.bytes - a.bytes);
}

function largestFolder() {
  const counts = count(sources.map(({ file }) => dirname(file)));
  const [folder, files] = [...counts].toSorted((a, b) => b[1] - a[1])[0];
  return { folder, files };
}

/**
 * The files with dynamic imports, one per import, without the command line, which loads its commands that
 * way.
 */
function dynamicImports() {
  const cli = new Set(under('surfaces/cli/'));
  return sources
    .filter((source) => !cli.has(source))
    .flatMap(({ file, body }) => [...nodesIn(body)].filter(isDynamicImport).map(() => file));
}

function twoMeanings(namesIn) {
  const files = new Map();
  for (const { file, body } of sources)
    for (const name of namesIn(body)) files.set(name, [...(files.get(name) ?? []), file]);
  return [...files]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => ({ name, files: where }))
    .toSorted((a, b) => b.files.length - a.files.length || (a.name < b.name ? -1 : 1));
}

/** Finds both `export type X` and `type X` with a later `export { X }`. A re-export is not a declaration. */
function exportedTypes(body) {
  const listed = body
    .filter(({ type, source }) => type === 'ExportNamedDeclaration' && !source)
    .flatMap(({ specifiers }) => specifiers.map(({ orig }) => orig.value));
  return new Set([...namesOf(exportedIn(body)), ...namesOf(body).filter((name) => listed.includes(name))]);
}

function typesIn(body) {
  return new Set(namesOf([...exportedIn(body), ...body]));
}

function exportedIn(body) {
  return body.filter(({ type }) => type === 'ExportDeclaration').map(({ declaration }) => declaration);
}

function namesOf(declarations) {
  return declarations
    .filter(({ type }) => TYPES.includes(type))
    .map(({ id, identifier }) => (id ?? identifier).value);
}

function under(folder) {
  return sources.filter(({ file }) => file.startsWith(folder));
}

function count(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The wide lines of a file, and whether each is a comment. */
function wideLinesOf(text, file) {
  let inBlock = false;
  return text.split('\n').flatMap((line, n) => {
    const isComment = inBlock || /^\s*(\/\/|\/?\*)/.test(line);
    if (line.includes('*/')) inBlock = false;
    else if (/^\s*\/\*/.test(line)) inBlock = true;
    return line.length > WIDE_LINE_COLUMNS ? [{ at: `${file}:${n + 1}`, isComment }] : [];
  });
}

function sayFunction({ file, line, name, lines, parameters }) {
  return `${file}:${line} ${name} (${lines} lines, ${parameters} parameters)`;
}

/**
 * Fails above a budget, with everything that counts towards it: what is new there is for the author to see.
 */
function check() {
  for (const { name, now, most } of figures.budgets) {
    if (now <= most) continue;
    console.error(`${name}: ${now}, and may be at most ${most}:\n  ${counted[name].join('\n  ')}`);
    process.exitCode = 1;
  }
}

function linesOf(text) {
  return text.split('\n').length - 1;
}

function sum(values, of) {
  return values.reduce((total, value) => total + of(value), 0);
}

function print({ largestFolder: largest, dynamicImports: imports, twoMeanings: names, ...figure }) {
  const rows = [
    ['bytes in `src` (`.ts`, `.tsx`, `.css`)', figure.bytes],
    ['lines in `src`', figure.lines],
    ['files in `src`', figure.files],
    ['largest flat folder', `${largest.files} (\`${largest.folder}\`)`],
    [`files of at most ${SMALL_FILE_LINES} lines`, figure.smallFiles],
    ['lines in `src/law`', figure.lawLines],
    ['dynamic imports outside `src/surfaces/cli`', imports.length],
    ['type names with two meanings', names.length],
    ['the same, with types that are not exported', figure.twoMeaningsInAll.length],
    ['bytes of `hook.cjs`, `hook-program.cjs`, `stop.cjs`', figure.hookBytes.join(', ')],
    ['lines in `test`', figure.testLines],
  ];
  console.log('| figure | |\n|---|---:|');
  for (const [name, value] of rows) console.log(`| ${name} | ${value} |`);
  console.log('\n| budget | now | at most |\n|---|---:|---:|');
  for (const { name, now, most } of figure.budgets) console.log(`| ${name} | ${now} | ${most} |`);
  console.log('\n| floor | bytes | lines |\n|---|---:|---:|');
  for (const { floor, bytes, lines } of figure.floors) console.log(`| \`${floor}\` | ${bytes} | ${lines} |`);
  console.log('\nDynamic imports outside `src/surfaces/cli`:\n');
  for (const [file, times] of count(imports)) console.log(`- ${file}${times > 1 ? ` (${times})` : ''}`);
  console.log('\nType names with two meanings:\n');
  for (const { name, files } of names) console.log(`- \`${name}\`: ${files.join(', ')}`);
  const exported = new Set(names.map(({ name }) => name));
  console.log('\nWith types that are not exported, also:\n');
  for (const { name, files } of figure.twoMeaningsInAll)
    if (!exported.has(name)) console.log(`- \`${name}\`: ${files.join(', ')}`);
}
