/** Where the truth lives: outside every work tree, in the user's own state folder, closed to others. */
import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

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

export function homeAt(dir: string): Home {
  return {
    dir,
    loops: join(dir, 'loops'),
    sessions: join(dir, 'sessions'),
    ready: join(dir, 'ready'),
    announced: join(dir, 'announced'),
    trust: join(dir, 'trust.json'),
    hooks: join(dir, 'hooks.json'),
    log: join(dir, 'hook.log'),
  };
}

export function findHome(env: Environment, platform: string): Home {
  return homeAt(env['DACAPO_HOME'] || stateFolder(env, platform));
}

function stateFolder(env: Environment, platform: string): string {
  // Never the current directory: that is a project, and nothing inside one is read as a journal. `os` is loaded in need only.
  const user = env['HOME'] || env['USERPROFILE'] || process.getBuiltinModule('node:os').homedir();
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(user, 'AppData', 'Local'), 'dacapo');
  if (platform === 'darwin') return join(user, 'Library', 'Application Support', 'dacapo');
  const xdg = env['XDG_STATE_HOME'] ?? '';
  return join(isAbsolute(xdg) ? xdg : join(user, '.local', 'state'), 'dacapo');
}

export function isId(value: string): boolean {
  return ID.test(value);
}

/** The name of a folder or file that was to be made is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

export function makePrivateFolder(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}
