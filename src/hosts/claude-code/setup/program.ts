/** Claude Code's program, and the flags that start a session (2.1.325). */
import { NO_PROPOSED_GOALS } from '../goal.ts';
import { CAP_VARIABLE } from '../names.ts';
import type { SettingsPlace } from '#hosts/port/headless.ts';
import type { HostProgram } from '#hosts/port/command-line.ts';
import { NO_CAP } from '../hook/cap.ts';
import { layersOf } from './layers.ts';
import type { Settings } from '#hosts/setup/settings.ts';
import { hookIn } from '#hosts/setup/hooks-settings.ts';
import { hasStatusLine, withStatusLine } from './status-line.ts';

const WITHOUT_CAP: Readonly<Record<string, string>> = { [CAP_VARIABLE]: NO_CAP };

export const program: HostProgram = {
  // The first version whose cap on stops can be lifted. The plugin's `engines` names it too.
  oldest: '2.1.143',
  install: 'https://code.claude.com/docs/en/setup',
  update: 'claude update',
  inModules: (platform, arch) => [
    '@anthropic-ai',
    `claude-code-${platform}-${arch}`,
    platform === 'win32' ? 'claude.exe' : 'claude',
  ],
  sessionFlags: ['--session-id', '--resume', '-r', '--continue', '-c', '--fork-session', '--from-pr', '--bg'],
  valueFlags: [
    '--add-dir',
    '--agent',
    '--agents',
    '--allowedTools',
    '--allowed-tools',
    '--append-system-prompt',
    '--disallowedTools',
    '--disallowed-tools',
    '--effort',
    '--fallback-model',
    '--max-budget-usd',
    '--mcp-config',
    '--model',
    '--permission-mode',
    '--plugin-dir',
    '--setting-sources',
    '--settings',
    '--system-prompt',
    '--tools',
  ],
  sessionArguments: (plugin, bar) => {
    const own = { env: WITHOUT_CAP, ...NO_PROPOSED_GOALS };
    const settings = bar === undefined ? own : withBar(own, plugin, bar);
    return ['--plugin-dir', plugin, '--settings', JSON.stringify(settings)];
  },
  sessionEnvironment: WITHOUT_CAP,
  newSession: (id) => ['--session-id', id],
  resumeSession: (id) => ['--resume', id],
  resumesWithPrompt: true,
  sessionOf: (env) => env['CLAUDE_CODE_SESSION_ID'] || null,
};

/**
 * Only the user's own line may move into these settings. A line of the project runs once the person trusts
 * the folder, and the host trusts what stands here at once.
 */
function withBar(settings: Settings, plugin: string, place: SettingsPlace): Settings {
  const layers = layersOf(place);
  if (layers.some((layer) => layer.name !== 'user' && hasStatusLine(layer.settings))) return settings;
  const shown = layers.find(({ name }) => name === 'user')?.settings['statusLine'];
  return withStatusLine(settings, hookIn(plugin), shown);
}
