/**
 * Where Claude Code keeps its settings and commands (2.1.325), and where our plugin has the commands that it
 * ships. The host reads a project's from the folder it was started in, and from no folder above.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '#hosts/port/arrival.ts';
import type { Scope } from '#hosts/port/command-line.ts';
import type { SettingsPlace } from '#hosts/port/headless.ts';

/** From the weakest to the strongest: a later one overrides an earlier one. */
export const SCOPES: readonly Scope[] = ['user', 'project', 'local'];

export function configFolder(env: Environment): string {
  return env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.claude');
}

export function settingsPath(scope: Scope, { project, env }: SettingsPlace): string {
  if (scope === 'user') return join(configFolder(env), 'settings.json');
  return join(project, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json');
}

export function commandsFolder(scope: Scope, { project, env }: SettingsPlace): string {
  return join(scope === 'user' ? configFolder(env) : join(project, '.claude'), 'commands');
}

/** The organisation's settings, which no other layer can override. */
export function managedSettings({ env, platform }: SettingsPlace): string {
  if (platform === 'win32')
    return join(env['ProgramFiles'] ?? 'C:\\Program Files', 'ClaudeCode', 'managed-settings.json');
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json';
  return '/etc/claude-code/managed-settings.json';
}

export function shippedCommands(plugin: string): { readonly file: string; readonly content: string }[] {
  const folder = join(plugin, 'commands');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => ({ file, content: readFileSync(join(folder, file), 'utf8') }));
}
