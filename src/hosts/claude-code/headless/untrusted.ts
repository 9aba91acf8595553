/**
 * What a project would run by itself, or send elsewhere, in a pass of Claude Code (2.1.325). In a terminal the host asks
 * before the first session in a folder; without a screen it does not ask. So we do, before anything is started.
 */
import { CAP_VARIABLE } from '../names.ts';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { recordAt } from '../../../core/shape.ts';
import { readRegular } from '../../../files/read.ts';
import type { OfProject, SettingsPlace } from '../../headless.ts';
import { configFolder, settingsPath } from '../setup/places.ts';
import { withoutHooks } from '../../setup/registration.ts';
import { settingsIn, type Settings } from '../../setup/settings.ts';

/** Settings that name a command, a server or a place where code comes from. */
const RUNS = [
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'gcpAuthRefresh',
  'otelHeadersHelper',
  'statusLine',
  'subagentStatusLine',
  'fileSuggestion',
  'mcpServers',
  'enableAllProjectMcpServers',
  'enabledMcpjsonServers',
  'enabledPlugins',
  'extraKnownMarketplaces',
];
/** Files that may bring hooks and servers of their own in their front matter. */
const FOLDERS = ['agents', 'skills', 'commands'];
const IN_FRONT_MATTER = /^(?:hooks|mcpServers):/m;
const MOST_FILES = 1_000;

/** Null: nothing, or the person has agreed in the host's own dialog. */
export function untrusted(place: SettingsPlace): OfProject | null {
  if (isTrusted(place)) return null;
  const found = [...settingsOf(place), ...serversOf(place), ...frontMatterOf(place)];
  return found.length === 0
    ? null
    : { files: [...new Set(found.map(({ file }) => file))], runs: found.map(({ says }) => says) };
}

/** In its own list of projects: for this folder, or for one above. */
export function isTrusted({ project, env }: SettingsPlace): boolean {
  const user = configFolder(env);
  const list = env['CLAUDE_CONFIG_DIR'] ? join(user, '.claude.json') : `${user}.json`;
  const projects = recordAt(settingsIn(list) ?? {}, 'projects');
  for (let at = project; ; at = dirname(at)) {
    if (recordAt(projects, at)['hasTrustDialogAccepted'] === true) return true;
    if (dirname(at) === at) return false;
  }
}

function settingsOf(place: SettingsPlace) {
  return (['project', 'local'] as const).flatMap((scope) => {
    const file = settingsPath(scope, place);
    return inSettings(settingsIn(file) ?? {}).map((says) => ({ file, says: `${says} (${file})` }));
  });
}

function inSettings(settings: Settings): string[] {
  // Ours are the person's own doing.
  const hooks = recordAt(withoutHooks(settings, []), 'hooks');
  const variables = Object.keys(recordAt(settings, 'env')).filter((name) => name !== CAP_VARIABLE);
  return [
    ...Object.keys(hooks).map((event) => `a hook at ${event}`),
    ...variables.map((name) => `the variable ${name}`),
    ...RUNS.filter((key) => settings[key] !== undefined && settings[key] !== false),
  ];
}

function serversOf({ project }: SettingsPlace) {
  const file = join(project, '.mcp.json');
  const servers = recordAt(settingsIn(file) ?? {}, 'mcpServers');
  return Object.keys(servers).map((name) => ({ file, says: `the MCP server ${name} (${file})` }));
}

function frontMatterOf({ project }: SettingsPlace) {
  return FOLDERS.flatMap((folder) => markdownIn(join(project, '.claude', folder)))
    .filter((file) => {
      const found = readRegular(file);
      const content = found.is === 'content' && found.content.startsWith('---') ? found.content : '';
      return IN_FRONT_MATTER.test(content.slice(0, content.indexOf('\n---', 3)));
    })
    .map((file) => ({ file, says: `hooks or servers of ${file}` }));
}

function markdownIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .slice(0, MOST_FILES)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
