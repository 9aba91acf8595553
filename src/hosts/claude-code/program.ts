/** Claude Code's own program: where it is, and which version. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Environment } from '../host.ts';

/** The first version whose cap on stops is known and can be lifted; the plugin's `engines` names it too. */
export const OLDEST = '2.1.143';
/** A first start may have to unpack itself. */
const VERSION_MS = 20_000;

export interface Program {
  readonly path: string;
  readonly from: 'DACAPO_CLAUDE' | 'PATH' | 'package';
}

/** What the person would start: by name, or the one that DACAPO_CLAUDE names. */
export function findProgram(env: Environment, platform: string): Program | null {
  const named = env['DACAPO_CLAUDE'];
  if (named) return existsSync(named) ? { path: named, from: 'DACAPO_CLAUDE' } : null;
  const names = platform === 'win32' ? ['claude.exe', 'claude.cmd'] : ['claude'];
  for (const folder of (env['PATH'] ?? env['Path'] ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      if (folder !== '' && isProgram(path)) return { path, from: 'PATH' };
    }
  }
  return null;
}

/** The same, or one that stands in a `node_modules` above `start`. */
export function findAnyProgram(env: Environment, platform: string, start: string): Program | null {
  const found = findProgram(env, platform);
  if (found !== null || env['DACAPO_CLAUDE']) return found;
  const inside = join(
    'node_modules',
    '@anthropic-ai',
    `claude-code-${platform}-${process.arch}`,
    platform === 'win32' ? 'claude.exe' : 'claude',
  );
  for (let dir = start; ; dir = dirname(dir)) {
    if (isProgram(join(dir, inside))) return { path: join(dir, inside), from: 'package' };
    if (dirname(dir) === dir) return null;
  }
}

/** Null: it could not be asked, or gave no version. */
export function versionOf({ path }: Program, env: Environment): string | null {
  const asked = spawnSync(path, ['--version'], {
    env: { ...env, DISABLE_AUTOUPDATER: '1' },
    encoding: 'utf8',
    timeout: VERSION_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: path.endsWith('.cmd'),
    windowsHide: true,
  });
  return /\d+\.\d+\.\d+/.exec(asked.stdout ?? '')?.[0] ?? null;
}

export function isAtLeast(version: string, wanted: string): boolean {
  const [a, b] = [version, wanted].map((text) => text.replace(/^v/, '').split('.').map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function isProgram(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
