/** This package on disk: where its plugin lies and which version it is. The same from dist/ and from the sources. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { record, text } from '../core/shape.ts';

export const PACKAGE = climb(import.meta.dirname);
export const PLUGIN = join(PACKAGE, 'plugin');
export const HOOK = join(PLUGIN, 'dist', 'hook.cjs');
export const RUNNER = join(PLUGIN, 'dist', 'runner.cjs');

const manifest = record({ version: text });

export function version(): string {
  const value: unknown = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  return manifest(value) ? value.version : 'unknown';
}

function climb(from: string): string {
  for (let dir = from; dirname(dir) !== dir; dir = dirname(dir))
    if (existsSync(join(dir, 'package.json'))) return dir;
  return from;
}
