/** Which version of Claude Code a program is. */
import { spawnSync } from 'node:child_process';
import type { Environment } from '../../arrival.ts';

/** The first version whose cap on stops can be lifted. The plugin's `engines` names it too. */
export const OLDEST = '2.1.143';
/** The program may unpack itself on its first start. */
const VERSION_MS = 20_000;

/** Null: the program could not be asked, or gave no version. */
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
