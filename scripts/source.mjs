// The sources as data, for the scripts that count and trace them: the list of files and their syntax trees.

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The files under a folder of the repository with this ending, as paths relative to the folder, with slashes.
 */
export function filesIn(folder, ending = '.ts') {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(join(ROOT, folder), join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}

export function read(folder, file) {
  return readFileSync(join(ROOT, folder, file), 'utf8');
}

/**
 * The top-level statements of a module, and a function that turns one of their spans into byte offsets. The
 * parser keeps counting from file to file, so the empty statement in front shows where this file begins.
 */
export function parse(code, syntax = 'typescript', tsx = false) {
  const [front, ...body] = parseSync(`;${code}`, { syntax, tsx, target: 'es2023' }).body;
  const base = front.span.start + 1;
  return { body, at: ({ start, end }) => [start - base, end - base] };
}

/** Yields the node itself and every node below it. */
export function* nodesIn(tree) {
  if (tree === null || typeof tree !== 'object') return;
  if (typeof tree.type === 'string') yield tree;
  for (const child of Object.values(tree)) yield* nodesIn(child);
}

export function isDynamicImport(node) {
  return node.type === 'CallExpression' && node.callee.type === 'Import';
}
