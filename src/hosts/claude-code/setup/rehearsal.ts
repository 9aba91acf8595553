/** Claude Code in the demo and in a probe: headless, against the scripted model, without an account. */
import type { SettingsPlace } from '#hosts/port/headless.ts';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord, textOrNull, parseAs, recordAt } from '#base/shape.ts';
import type { HostRehearsal, PlayedCommand, PlayedSession, Registration } from '#hosts/port/command-line.ts';
import { layersOf, ownPlugins } from './layers.ts';
import { commandsFolder, configFolder, settingsPath, shippedCommands } from './places.ts';
import { onlyInstalled, onlyRecognised } from '#hosts/setup/registration.ts';
import { readTextIfAny } from '#base/files/read.ts';
import { registrationFrom } from './hooks-file.ts';
import { settingsIn, type Settings } from '#hosts/setup/settings.ts';

const WITH_PLUGIN = '/dacapo:ralph';
const INSTALLED = '/ralph';

export const rehearsal: HostRehearsal = {
  command: (model) => ({
    args: ['-p', '--output-format', 'stream-json', '--verbose', '--include-hook-events'],
    env: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'sk-ant-nobody',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      // Without it, the host refuses some modes to root, for example in a container.
      IS_SANDBOX: '1',
    },
  }),
  mayEdit: ['--permission-mode', 'acceptEdits'],
  asRegistered: (where, request) => {
    const byPlugin = ownPlugins(layersOf(where)).length > 0;
    return ['--', `${byPlugin ? WITH_PLUGIN : INSTALLED} ${request}`];
  },
  copyRegistration,
  play,
  pluginCommands: (folder) =>
    existsSync(join(folder, '.claude-plugin', 'marketplace.json'))
      ? [
          ['claude', 'plugin', 'marketplace', 'add', folder],
          ['claude', 'plugin', 'install', 'dacapo@dacapo'],
        ]
      : [],
};

/**
 * Of the project only what this very installation has written: anything else would run here without a
 * question.
 */
function copyRegistration(from: SettingsPlace, to: SettingsPlace, plugin: string): void {
  const installed = registrationFrom(plugin, from.platform);
  for (const { name, settings, isBroken } of layersOf(from)) {
    if (name === 'managed' || isBroken) continue;
    const ours = name === 'user' ? oursOfPerson(settings) : oursOfProject(settings, installed);
    writeJson(settingsPath(name, to), ours);
  }
  for (const scope of ['user', 'project'] as const) {
    for (const { file, content } of shippedCommands(plugin)) {
      const path = join(commandsFolder(scope, from), file);
      const isOurs = scope === 'user' ? existsSync(path) : readTextIfAny(path) === content;
      if (isOurs) cpSync(path, join(commandsFolder(scope, to), file));
    }
  }
  for (const name of ['installed_plugins.json', 'known_marketplaces.json']) {
    const known = settingsIn(join(configFolder(from.env), 'plugins', name));
    if (known !== null) writeJson(join(configFolder(to.env), 'plugins', name), known);
  }
}

function oursOfPerson(settings: Settings): Settings {
  const { extraKnownMarketplaces } = settings;
  return { ...switchesIn(settings), extraKnownMarketplaces, hooks: onlyRecognised(settings) };
}

function oursOfProject(settings: Settings, installed: Registration): Settings {
  return { ...switchesIn(settings), hooks: onlyInstalled(settings, installed) };
}

/** A plugin that is switched on here runs only if the person has installed it. */
function switchesIn(settings: Settings): Settings {
  const { disableAllHooks } = settings;
  const plugins = Object.entries(recordAt(settings, 'enabledPlugins'));
  const ours = Object.fromEntries(plugins.filter(([id]) => id.startsWith('dacapo@')));
  return { disableAllHooks, enabledPlugins: ours };
}

function writeJson(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}

function play({ id, project, transcript, process }: PlayedSession): PlayedCommand {
  const common = {
    session_id: id,
    transcript_path: transcript,
    cwd: project,
    prompt_id: crypto.randomUUID(),
    permission_mode: 'acceptEdits',
  };
  return {
    env: {
      CLAUDE_PROJECT_DIR: project,
      CLAUDE_CODE_SESSION_ID: id,
      CLAUDE_CODE_SESSION_ATTENDED: '0',
      CLAUDE_PID: String(process),
    },
    start: (request) => {
      const typed = `/ralph ${request}`;
      const command = { expansion_type: 'slash_command', command_name: 'ralph', command_args: request };
      return {
        typed,
        payload: { ...common, hook_event_name: 'UserPromptExpansion', ...command, prompt: typed },
      };
    },
    stop: (message, passes) => ({
      ...common,
      hook_event_name: 'Stop',
      stop_hook_active: passes > 0,
      last_assistant_message: message,
      background_tasks: [],
      session_crons: [],
    }),
    end: () => ({ ...common, hook_event_name: 'SessionEnd', reason: 'other' }),
    toAgent: (stdout) => {
      const answer = parseAs(isRecord, stdout) ?? {};
      return textOrNull(recordAt(answer, 'hookSpecificOutput')['additionalContext']);
    },
  };
}
