/**
 * Where Claude Code keeps its settings and commands (2.1.325). It reads a project's from the folder it was started in, and
 * from no folder above.
 */
import { join } from 'node:path';
import type { Environment } from '../../arrival.ts';
import type { Scope, SettingsPlace } from '../../command-line.ts';

/** From the weakest to the strongest: a later one overrides an earlier one. */
export const SCOPES: readonly Scope[] = ['user', 'project', 'local'];

export interface ClaudePlace extends SettingsPlace {
  /** The organisation's settings, which no other layer can override. */
  readonly managed: string;
}

export function placeOf({ project, env, platform }: SettingsPlace): ClaudePlace {
  return { project, env, platform, managed: managedSettings(env, platform) };
}

export function configFolder(env: Environment): string {
  return env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.claude');
}

export function settingsPath(scope: Scope, { project, env }: ClaudePlace): string {
  switch (scope) {
    case 'user':
      return join(configFolder(env), 'settings.json');
    case 'project':
      return join(project, '.claude', 'settings.json');
    case 'local':
      return join(project, '.claude', 'settings.local.json');
  }
}

export function commandsFolder(scope: Scope, { project, env }: ClaudePlace): string {
  return join(scope === 'user' ? configFolder(env) : join(project, '.claude'), 'commands');
}

function managedSettings(env: Environment, platform: string): string {
  if (platform === 'win32')
    return join(env['ProgramFiles'] ?? 'C:\\Program Files', 'ClaudeCode', 'managed-settings.json');
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json';
  return '/etc/claude-code/managed-settings.json';
}
