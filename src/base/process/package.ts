/**
 * Where this package and its plugin are on disk, and which version this is. It is the same from dist/ and
 * from the sources.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { record, text } from '../shape.ts';

export const PACKAGE = climb(import.meta.dirname);
export const CLI = join(PACKAGE, 'dist', 'cli.cjs');
export const PLUGIN = join(PACKAGE, 'plugin');
/** The supervisor of checks, for programs that have no bundle beside them. */
export const RUNNER = join(PLUGIN, 'dist', 'runner.cjs');
export const SENDER = join(PLUGIN, 'dist', 'sender.cjs');
export const HOOK = join(PLUGIN, 'dist', 'hook.cjs');
/** The program of a pass by the Agent Client Protocol. */
export const ACP = join(PLUGIN, 'dist', 'acp.cjs');
export const MCP = join(PLUGIN, 'dist', 'mcp.cjs');

/** `version` is none of our commands, but many programs have it. */
export const VERSION_WORDS: readonly string[] = ['--version', '-V', '-v', 'version'];

const manifest = record({ version: text });

function climb(from: string): string {
  for (let dir = from; dirname(dir) !== dir; dir = dirname(dir))
    if (existsSync(join(dir, 'package.json'))) return dir;
  return from;
}

export function version(): string {
  const value: unknown = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  return manifest(value) ? value.version : 'unknown';
}
