/** The folder of all loops: outside every work tree, in the user's own state folder, closed to other users. */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { codeOf } from '../../core/thrown.ts';
import type { Runtime } from '../runtime.ts';

export interface Home {
  readonly dir: string;
  readonly loops: string;
  readonly sessions: string;
  readonly ready: string;
  readonly announced: string;
  /** Which configs of which projects this user trusts. */
  readonly trust: string;
  /** Declared stop hooks of this user's, by project and loop. */
  readonly hooks: string;
  /** The user's own config. */
  readonly config: string;
  readonly machine: string;
  readonly log: string;
}

export function homeAt(dir: string): Home {
  // Joined once: `join` looks at every character of a path, and most callers need two or three of these.
  const inside = join(dir, sep);
  return {
    dir,
    loops: `${inside}loops`,
    sessions: `${inside}sessions`,
    ready: `${inside}ready`,
    announced: `${inside}announced`,
    trust: `${inside}trust.json`,
    hooks: `${inside}hooks.json`,
    config: `${inside}config.json`,
    machine: `${inside}machine`,
    log: `${inside}hook.log`,
  };
}

export function findHome(env: Runtime['env'], platform: string): Home {
  return homeAt(homeFolder(env, platform));
}

/** A relative DACAPO_HOME is ignored: it would be another folder in each project, and inside the project. */
export function homeFolder(env: Runtime['env'], platform: string): string {
  const chosen = env['DACAPO_HOME'] ?? '';
  return isAbsolute(chosen) ? chosen : stateFolder(env, platform);
}

function stateFolder(env: Runtime['env'], platform: string): string {
  // Never the current directory: that is a project, and we read no journal inside one. `os` is loaded only when needed.
  const user = env['HOME'] || env['USERPROFILE'] || process.getBuiltinModule('node:os').homedir();
  return join(statesOf(user, env, platform), 'dacapo');
}

function statesOf(user: string, env: Runtime['env'], platform: string): string {
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(user, 'AppData', 'Local');
  if (platform === 'darwin') return join(user, 'Library', 'Application Support');
  const xdg = env['XDG_STATE_HOME'] ?? '';
  return xdg.startsWith('/') ? xdg : join(user, '.local', 'state');
}

/** A folder or file of that name already exists. */
export function isExistsError(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

/** The file does not exist. ENOTDIR: it can't, because a part of its path is not a folder. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** With the folders above it. Node's own recursive call never returns where nothing can be made, such as in /proc. */
export function makePrivateFolder(dir: string): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    const above = dirname(dir);
    if (isExistsError(error) && statSync(dir).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || existsSync(above)) throw error;
    makePrivateFolder(above);
    makePrivateFolder(dir);
  }
}

/** Null where there is no file. Throws where it can't be read: a file that is unreachable for a moment is not gone. */
export function readIfThere(path: string): string | null {
  return ifThere(() => readFileSync(path, 'utf8'), null);
}

/** None where there is no such folder. */
export function namesIn(folder: string): string[] {
  return ifThere(() => readdirSync(folder), []);
}

/** Rethrows every error but the one that means that nothing is there. */
export function ifThere<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}
