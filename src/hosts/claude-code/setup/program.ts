/** Claude Code's program, and the flags that start a session (2.1.325). */
import type { HostProgram, StatusBar } from '../../program.ts';
import { CAP_VARIABLE, NO_CAP } from '../hook/cap.ts';
import { findBeside, findProgram, isNamed } from './find.ts';
import { layersOf } from './layers.ts';
import { placeOf } from './places.ts';
import type { Settings } from './settings.ts';
import { hasStatusLine, withStatusLine } from './status-line.ts';
import { OLDEST, isAtLeast, versionOf } from './version.ts';

const WITHOUT_CAP: Readonly<Record<string, string>> = { [CAP_VARIABLE]: NO_CAP };

export const program: HostProgram = {
  oldest: OLDEST,
  find: findProgram,
  isNamed,
  findBeside,
  versionOf,
  isRecent: (version) => isAtLeast(version, OLDEST),
  sessionFlags: ['--session-id', '--resume', '-r', '--continue', '-c', '--fork-session', '--from-pr', '--bg'],
  sessionArguments: (plugin, bar) => {
    const settings = bar === undefined ? { env: WITHOUT_CAP } : withBar({ env: WITHOUT_CAP }, bar);
    return ['--plugin-dir', plugin, '--settings', JSON.stringify(settings)];
  },
  sessionEnvironment: WITHOUT_CAP,
  newSession: (id) => ['--session-id', id],
  resumeSession: (id) => ['--resume', id],
  sessionOf: (env) => env['CLAUDE_CODE_SESSION_ID'] || null,
};

/**
 * Only the user's own line may move into these settings. A line of the project runs once the person trusts the folder,
 * and the host trusts what stands here at once.
 */
function withBar(settings: Settings, { program: cli, place }: StatusBar): Settings {
  const layers = layersOf(placeOf(place));
  const others = layers.filter(({ name }) => name !== 'user');
  if (others.some((layer) => layer.settings !== null && hasStatusLine(layer.settings))) return settings;
  const shown = layers.find(({ name }) => name === 'user')?.settings?.['statusLine'];
  return withStatusLine(settings, { program: cli, shown });
}
