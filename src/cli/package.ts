/** This package on disk: where its plugin lies and which version it is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { record, text } from '../core/shape.ts';
import { PACKAGE } from '../process/package.ts';

export { RUNNER } from '../process/package.ts';
export { PACKAGE } from '../process/package.ts';
export const PLUGIN = join(PACKAGE, 'plugin');
/** The command line program, as it is built. */
export const CLI = join(PACKAGE, 'dist', 'cli.js');
export const HOOK = join(PLUGIN, 'dist', 'hook.cjs');

const manifest = record({ version: text });

export function version(): string {
  const value: unknown = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  return manifest(value) ? value.version : 'unknown';
}
