/** Where the truth lives: outside every work tree, in the user's own state folder, closed to others. */
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { codeOf } from '../../core/error-code.ts';

export interface Home {
  readonly dir: string;
  readonly loops: string;
  readonly sessions: string;
  readonly ready: string;
  readonly announced: string;
  /** Which configs of which projects this user has agreed to. */
  readonly trust: string;
  /** Declared stop hooks of this user's, by project and loop. */
  readonly hooks: string;
  readonly machine: string;
  readonly log: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function homeAt(dir: string): Home {
  return {
    dir,
    loops: join(dir, 'loops'),
    sessions: join(dir, 'sessions'),
    ready: join(dir, 'ready'),
    announced: join(dir, 'announced'),
    trust: join(dir, 'trust.json'),
    hooks: join(dir, 'hooks.json'),
    machine: join(dir, 'machine'),
    log: join(dir, 'hook.log'),
  };
}

/** A relative DACAPO_HOME does not count: it would be another folder in each project, and inside it. */
export function findHome(env: Environment, platform: string): Home {
  const chosen = env['DACAPO_HOME'] ?? '';
  return homeAt(isAbsolute(chosen) ? chosen : stateFolder(env, platform));
}

/** What was set, and does not count. */
export function relativeHome(env: Environment): string | null {
  const chosen = env['DACAPO_HOME'] ?? '';
  return chosen === '' || isAbsolute(chosen) ? null : chosen;
}

function stateFolder(env: Environment, platform: string): string {
  // Never the current directory: that is a project, and nothing inside one is read as a journal. `os` is loaded in need only.
  const user = env['HOME'] || env['USERPROFILE'] || process.getBuiltinModule('node:os').homedir();
  return join(statesOf(user, env, platform), 'dacapo');
}

function statesOf(user: string, env: Environment, platform: string): string {
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(user, 'AppData', 'Local');
  if (platform === 'darwin') return join(user, 'Library', 'Application Support');
  const xdg = env['XDG_STATE_HOME'] ?? '';
  return xdg.startsWith('/') ? xdg : join(user, '.local', 'state');
}

/** The name of a folder or file that was to be made is taken. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

/** It is not there: nor can it be, below something that is no folder. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function makePrivateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}

/** Null where there is none. Throws where it can't be read: what is out of reach for a moment must not count as gone. */
export function readIfThere(path: string): string | null {
  return ifThere(() => readFileSync(path, 'utf8'), null);
}

/** None where there is no such folder. */
export function namesIn(folder: string): string[] {
  return ifThere(() => readdirSync(folder), []);
}

/** Of all errors only one means that nothing is there. */
export function ifThere<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}
