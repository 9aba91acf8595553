// The functions of a module with their length and their parameters, for the budgets in `scripts/figures.mjs`.

import { nodesIn, parse } from './source.mjs';

const FUNCTIONS = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'Constructor',
  'MethodProperty',
];

/**
 * Each function with the line it begins on, its lines and the number of its parameters; a destructured one is
 * one.
 */
export function functionsIn(text, file) {
  const { body, at } = parse(text, 'typescript', file.endsWith('.tsx'));
  const bytes = Buffer.from(text);
  const lineAt = (offset) => bytes.subarray(0, offset).toString().split('\n').length;
  const found = [];
  for (const [name, node] of namedNodes(body)) {
    const [start, end] = at(node.span);
    const first = lineAt(start);
    const parameters = (node.function ?? node).params;
    found.push({ file, name, line: first, lines: lineAt(end) - first + 1, parameters: parameters.length });
  }
  return found;
}

function* namedNodes(tree) {
  const names = new Map();
  for (const node of nodesIn(tree)) {
    if (node.type === 'VariableDeclarator' && node.init) names.set(node.init, node.id.value);
    if (node.type === 'KeyValueProperty') names.set(node.value, node.key.value);
    if (!FUNCTIONS.includes(node.type)) continue;
    const own = node.identifier?.value ?? node.key?.value;
    yield [own ?? names.get(node) ?? '(inline)', node];
  }
}
