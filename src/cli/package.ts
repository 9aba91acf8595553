/** Where this package and its plugin are on disk, and which version this is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { record, text } from '../core/shape.ts';
import { PACKAGE } from '../process/package.ts';

export { PACKAGE, RUNNER, SENDER } from '../process/package.ts';
export const PLUGIN = join(PACKAGE, 'plugin');
/** The built command line program. */
export const CLI = join(PACKAGE, 'dist', 'cli.js');
export const HOOK = join(PLUGIN, 'dist', 'hook.cjs');
export const MCP = join(PLUGIN, 'dist', 'mcp.cjs');

const manifest = record({ version: text });

export function version(): string {
  const value: unknown = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  return manifest(value) ? value.version : 'unknown';
}
