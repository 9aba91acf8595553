/** Where Codex keeps its settings and its sessions. */
import { join } from 'node:path';
import type { Environment } from '../arrival.ts';

export function codexHome(env: Environment): string {
  return env['CODEX_HOME'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.codex');
}
