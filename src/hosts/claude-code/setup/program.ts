/**
 * Claude Code's program, and the flags that start a session (2.1.325). It is named by DACAPO_CLAUDE, else found on the PATH,
 * else in a `node_modules` beside this package.
 */
import { CAP_VARIABLE } from '../names.ts';
import type { SettingsPlace } from '../../headless.ts';
import type { FoundProgram, HostProgram } from '../../command-line.ts';
import { NO_CAP } from '../hook/cap.ts';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../../arrival.ts';
import { spawnSync } from 'node:child_process';
import { layersOf } from './layers.ts';
import type { Settings } from './settings.ts';
import { hasStatusLine, hookIn, withStatusLine } from './status-line.ts';
import { isProgram, programOnPath } from '../../../files/paths.ts';

/** The first version whose cap on stops can be lifted. The plugin's `engines` names it too. */
export const OLDEST = '2.1.143';

const WITHOUT_CAP: Readonly<Record<string, string>> = { [CAP_VARIABLE]: NO_CAP };

export const program: HostProgram = {
  oldest: OLDEST,
  find: findProgram,
  isNamed: (env) => Boolean(env['DACAPO_CLAUDE']),
  findBeside,
  versionOf,
  isRecent: (version) => isAtLeast(version, OLDEST),
  sessionFlags: ['--session-id', '--resume', '-r', '--continue', '-c', '--fork-session', '--from-pr', '--bg'],
  sessionArguments: (plugin, bar) => {
    const settings = bar === undefined ? { env: WITHOUT_CAP } : withBar({ env: WITHOUT_CAP }, plugin, bar);
    return ['--plugin-dir', plugin, '--settings', JSON.stringify(settings)];
  },
  sessionEnvironment: WITHOUT_CAP,
  newSession: (id) => ['--session-id', id],
  resumeSession: (id) => ['--resume', id],
  sessionOf: (env) => env['CLAUDE_CODE_SESSION_ID'] || null,
};

/** Only real programs: npm's `claude.cmd` needs a shell, and a shell would split prompts. */
const NAME = process.platform === 'win32' ? 'claude.exe' : 'claude';

export function findProgram(env: Environment): FoundProgram {
  const named = env['DACAPO_CLAUDE'];
  if (named) {
    const program = resolve(named);
    if (isProgram(program)) return { ok: true, program };
    return {
      ok: false,
      message: `DACAPO_CLAUDE names ${named}, which is not a program.`,
      next: 'set it to the path of claude, or unset it to have claude looked for on the PATH.',
    };
  }
  const program = programOnPath(NAME, env);
  if (program !== null) return { ok: true, program };
  return {
    ok: false,
    message: 'Claude Code was not found: there is no claude on the PATH.',
    next: 'install it (https://code.claude.com/docs/en/setup), or set DACAPO_CLAUDE to the path of claude.',
  };
}

/** The program itself, without npm's wrapper. */
function findBeside(start: string, platform: string, arch: string): string | null {
  const name = platform === 'win32' ? 'claude.exe' : 'claude';
  const inside = join('node_modules', '@anthropic-ai', `claude-code-${platform}-${arch}`, name);
  for (let dir = start; ; dir = dirname(dir)) {
    if (existsSync(join(dir, inside))) return join(dir, inside);
    if (dirname(dir) === dir) return null;
  }
}

/** The program may unpack itself on its first start. */
const VERSION_MS = 20_000;

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

/**
 * Only the user's own line may move into these settings. A line of the project runs once the person trusts the folder,
 * and the host trusts what stands here at once.
 */
function withBar(settings: Settings, plugin: string, place: SettingsPlace): Settings {
  const layers = layersOf(place);
  const others = layers.filter(({ name }) => name !== 'user');
  if (others.some((layer) => layer.settings !== null && hasStatusLine(layer.settings))) return settings;
  const shown = layers.find(({ name }) => name === 'user')?.settings?.['statusLine'];
  return withStatusLine(settings, { program: hookIn(plugin), shown });
}
