/** Claude Code's own program: which version it is, and where one may stand beside this package. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../../arrival.ts';

/** The first version whose cap on stops is known and can be lifted; the plugin's `engines` names it too. */
export const OLDEST = '2.1.143';
/** A first start may have to unpack itself. */
const VERSION_MS = 20_000;

export type Found =
  | { readonly ok: true; readonly program: string }
  | { readonly ok: false; readonly message: string; readonly next: string };

/** In a `node_modules` of this folder or of one above it: the program itself, without npm's wrapper. */
export function programBeside(start: string, platform: string, arch: string): string | null {
  const name = platform === 'win32' ? 'claude.exe' : 'claude';
  const inside = join('node_modules', '@anthropic-ai', `claude-code-${platform}-${arch}`, name);
  for (let dir = start; ; dir = dirname(dir)) {
    if (existsSync(join(dir, inside))) return join(dir, inside);
    if (dirname(dir) === dir) return null;
  }
}

/** Null: it could not be asked, or gave no version. */
export function versionOf(program: string, env: Environment): string | null {
  const asked = spawnSync(program, ['--version'], {
    env: { ...env, DISABLE_AUTOUPDATER: '1' },
    encoding: 'utf8',
    timeout: VERSION_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  return /\d+\.\d+\.\d+/.exec(asked.stdout ?? '')?.[0] ?? null;
}

export function isAtLeast(version: string, wanted: string): boolean {
  const [a, b] = [version, wanted].map((text) => text.split('.').map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
