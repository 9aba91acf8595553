/** Where the truth lives: outside every work tree, in the user's own state folder, closed to others. */
import { mkdirSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import { codeOf } from '../../core/error-code.ts';

/** Ids become file names, so anything else never does. */
const ID = /^[A-Za-z0-9_-]{1,128}$/;

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
  readonly log: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What lies in a folder. Node's `join` also tidies up what it is given, which takes 0.1 ms when first used. */
export function within(folder: string, ...names: readonly string[]): string {
  return [folder, ...names].join(sep);
}

export function homeAt(dir: string): Home {
  return {
    dir,
    loops: within(dir, 'loops'),
    sessions: within(dir, 'sessions'),
    ready: within(dir, 'ready'),
    announced: within(dir, 'announced'),
    trust: within(dir, 'trust.json'),
    hooks: within(dir, 'hooks.json'),
    log: within(dir, 'hook.log'),
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
  return within(statesOf(user, env, platform), 'dacapo');
}

function statesOf(user: string, env: Environment, platform: string): string {
  if (platform === 'win32') return env['LOCALAPPDATA'] || within(user, 'AppData', 'Local');
  if (platform === 'darwin') return within(user, 'Library', 'Application Support');
  const xdg = env['XDG_STATE_HOME'] ?? '';
  return xdg.startsWith('/') ? xdg : within(user, '.local', 'state');
}

export function isId(value: string): boolean {
  return ID.test(value);
}

/** The name of a folder or file that was to be made is taken. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

export function makePrivateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}
