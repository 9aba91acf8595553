// Makes a copy of the sources that reports its calls: each file of `src` becomes one JavaScript module
// (nothing is bundled), in which every top-level function reports its file and name when it is entered.
//
// Top-level functions are function declarations, constants that hold a function, and the methods of top-level
// classes and object literals. Closures inside them do not report; they count as part of the function around
// them.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transform } from 'esbuild';
import { ROOT, filesIn, isDynamicImport, nodesIn, parse, read } from '../source.mjs';

const REPORTER = 'reporter.js';
const CALL = '$entered';
const LOADING = '$loading';

/**
 * Writes the entered functions, in order, when the process ends. A start of the program in WALK_MARK adds a
 * mark to the list. A traced child process would write its own list, but children are the built programs,
 * which are not traced.
 */
const REPORT = `
import children from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const steps = [];
let loading = false;
export const ${LOADING} = (is) => void (loading = is);
export const ${CALL} = (step) => loading || steps.push(step);
const { spawn } = children;
children.spawn = (program, ...rest) => {
  if (program === process.env.WALK_MARK) steps.push(null);
  return spawn(program, ...rest);
};
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(process.env.WALK_TO, JSON.stringify(steps)));
`;

/**
 * Writes the copy to `folder` and returns its functions: a step of a trace is an index into this list.
 * `entry`: the one module that does its work while it loads. Calls of other modules while they load are
 * set-up and are left out. `home`: the folder of the built program, where it looks for the programs beside
 * it.
 */
export async function writeTraced(folder, entry, home) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, REPORTER), REPORT);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const functions = [];
  const here = JSON.stringify(home);
  for (const file of filesIn('src')) {
    const { code } = await transform(read('src', file), {
      loader: 'ts',
      format: 'esm',
      target: 'node20.19',
      tsconfigRaw: {},
      define: { 'import.meta.dirname': here, __dirname: here },
    });
    const path = join(folder, asScript(file));
    mkdirSync(dirname(path), { recursive: true });
    const reporter = relative(dirname(path), join(folder, REPORTER)).replaceAll('\\', '/');
    const from = reporter.startsWith('.') ? reporter : `./${reporter}`;
    const traced = instrumented(code, file, functions);
    const body = file === entry ? traced : `${LOADING}(true);\n${traced}\n${LOADING}(false);`;
    writeFileSync(path, `import { ${CALL}, ${LOADING} } from '${from}';\n${body}\n`);
  }
  return functions;
}

export function asScript(file) {
  return file.replace(/\.ts$/, '.js');
}

function instrumented(code, file, functions) {
  const { body, at } = parse(code, 'ecmascript');
  const edits = [];
  for (const { name, code: inner } of body.flatMap(functionsOf)) {
    const call = `${CALL}(${functions.push({ file, name }) - 1})`;
    const [start, end] = at(inner.span);
    if (isBlock(inner)) edits.push([start + 1, start + 1, ` ${call};`]);
    else edits.push([start, start, `(${call}, `], [end, end, ')']);
  }
  for (const { span, value } of specifiersIn(body))
    edits.push([...at(span), JSON.stringify(asScript(fromFile(file, value)))]);
  return applied(code, edits);
}

function functionsOf(statement) {
  switch (statement.type) {
    case 'ExportDeclaration':
      return functionsOf(statement.declaration);
    case 'FunctionDeclaration':
      return [{ name: statement.identifier.value, code: statement.body }];
    case 'ClassDeclaration':
      return statement.body
        .filter((member) => member.type === 'ClassMethod' || member.type === 'Constructor')
        .map((member) => ({
          name: `${statement.identifier.value}.${member.key.value}`,
          code: (member.function ?? member).body,
        }));
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id, init }) => functionsAt(id.value ?? '?', init));
    default:
      return [];
  }
}

/** The function that a constant holds, or the functions in the object that it holds. */
function functionsAt(name, value) {
  switch (value?.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return [{ name, code: value.body }];
    case 'ObjectExpression':
      return value.properties.flatMap((property) =>
        property.type === 'MethodProperty'
          ? [{ name: `${name}.${property.key.value}`, code: property.body }]
          : property.type === 'KeyValueProperty'
            ? functionsAt(`${name}.${property.key.value}`, property.value)
            : [],
      );
    default:
      return [];
  }
}

function isBlock({ type }) {
  return type === 'FunctionBody' || type === 'BlockStatement';
}

/** `#law/decide.ts` as it is written from `file`: the copy has no package of its own. */
function fromFile(file, specifier) {
  if (!specifier.startsWith('#')) return specifier;
  const path = relative(dirname(file), specifier.slice(1)).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** The places where a module imports another one of ours. */
function specifiersIn(body) {
  const named = body.map(({ source }) => source).filter((source) => source?.type === 'StringLiteral');
  const dynamic = [...nodesIn(body)].filter(isDynamicImport).map((call) => call.arguments[0].expression);
  return [...named, ...dynamic].filter(({ type, value }) => type === 'StringLiteral' && /^[.#]/.test(value));
}

/** Offsets count bytes. Edits are applied from the end, so that earlier offsets stay valid. */
function applied(code, edits) {
  let bytes = Buffer.from(code);
  for (const [start, end, text] of edits.toSorted((a, b) => b[0] - a[0] || b[1] - a[1]))
    bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)]);
  return bytes.toString();
}
