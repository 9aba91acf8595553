/**
 * The folder of all loops: outside every work tree, in the user's own state folder, closed to other users.
 * Where it is, and how files in it are read and written.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  realpathSync,
  rmSync,
  writeFileSync,
  closeSync,
  fstatSync,
  openSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, join, sep, basename, resolve } from 'node:path';
import type { Runtime } from '../runtime.ts';
import { isIn } from '#base/files/paths.ts';
import { renameOver, syncFolder } from '#base/files/rename.ts';
import { MAX_LOG_BYTES, rotateLog } from './rotate-log.ts';
import { parseAs, orNull, record, text, whole, isId, codeOf } from '#base/shape.ts';
import type { Lookup, SessionEntry } from '../store.ts';

export const MACHINE_ID_CHARS = 12;

export type Home = Readonly<ReturnType<typeof homeAt>>;

export function homeAt(dir: string) {
  // Joined once: `join` looks at every character of a path, and most callers need two or three of these.
  const inside = join(dir, sep);
  return {
    dir,
    loops: `${inside}loops`,
    sessions: `${inside}sessions`,
    ready: `${inside}ready`,
    announced: `${inside}announced`,
    tasks: `${inside}tasks`,
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
  // Never the current directory: that is a project, and we read no journal inside one. `os` is loaded only
  // when needed.
  const user = env['HOME'] || env['USERPROFILE'] || process.getBuiltinModule('node:os').homedir();
  return join(statesOf(user, env, platform), 'dacapo');
}

function statesOf(user: string, env: Runtime['env'], platform: string): string {
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(user, 'AppData', 'Local');
  if (platform === 'darwin') return join(user, 'Library', 'Application Support');
  const xdg = env['XDG_STATE_HOME'] ?? '';
  return xdg.startsWith('/') ? xdg : join(user, '.local', 'state');
}

export function isExistsError(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

/** The file does not exist. ENOTDIR: it can't, because a part of its path is not a folder. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/**
 * With the folders above it. Node's own recursive call never returns where nothing can be made, such as in
 * /proc. Another process may make the folder above between our two calls, so the second one decides.
 */
export function makePrivateFolder(dir: string): void {
  try {
    makeFolder(dir);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    const above = dirname(dir);
    if (!existsSync(above)) makePrivateFolder(above);
    makeFolder(dir);
  }
}

/** The error of the system names where it failed, which may be any folder above. */
export function makeInHome(folder: string, home: string): void {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    if (error instanceof Error)
      error.message = `the state folder ${home} can't be made (${codeOf(error)}); DACAPO_HOME can name another`;
    throw error;
  }
}

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
    syncFolder(dirname(dir));
  } catch (error) {
    if (!isExistsError(error) || !statSync(dir).isDirectory()) throw error;
  }
}

/**
 * Null where there is no file. Throws where it can't be read: a file that is unreachable for a moment is not
 * gone.
 */
export function readIfThere(path: string): string | null {
  return ifThere(() => readFileSync(path, 'utf8'), null);
}

export function namesIfThere(folder: string): string[] {
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

/**
 * Why this DACAPO_HOME is not used: one that a project can fill would bring along loops and trust that nobody
 * gave. Null: it is used, or there is none. `project`: null outside any.
 */
export function whyNotHome(env: Runtime['env'], project: string | null): string | null {
  const chosen = env['DACAPO_HOME'] ?? '';
  if (chosen === '') return null;
  if (!isAbsolute(chosen)) return 'is a relative path';
  const named = resolve(chosen);
  const place = real(named);
  const around = project && real(project);
  // A link there leads somewhere else for each process.
  if ([named, place].some((path) => isIn(path, '/proc'))) return 'leads into /proc';
  // Somebody whose project is all of their home may keep the state in it.
  const isForeign = around && isIn(place, around) && !isIn(real(env['HOME'] ?? '/'), around);
  return isForeign ? `is in the project ${around}` : null;
}

/**
 * In the programs that a host starts, with variables that a project may have set, such a DACAPO_HOME counts
 * for nothing.
 */
export function ignoreForeignHome(project: string | null): void {
  if (whyNotHome(process.env, project) !== null) delete process.env['DACAPO_HOME'];
}

/** What does not exist yet would be made where the folder above it really is. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return join(real(dirname(path)), basename(path));
  }
}

/**
 * Replaces a small file as a whole: a reader finds the old content or the new, never half of it. `durable`:
 * it survives a crash of the machine, which takes a disk some milliseconds.
 */
export function replaceFile(path: string, content: string | Uint8Array, { durable = true } = {}): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const write = () => writeFileSync(temporary, content, { mode: 0o600, flush: durable });
  try {
    try {
      write();
    } catch (error) {
      // The folder nearly always exists, so we make it only after a failure.
      if (!isMissing(error)) throw error;
      makePrivateFolder(dirname(path));
      write();
    }
    renameOver(temporary, path);
    if (durable) syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * One write of newline, entry, newline: it is whole or absent. Returns its length. `to`: what the file is,
 * for people.
 */
export function appendLine(file: number, to: 'journal' | 'task', entry: object): number {
  const line = `\n${JSON.stringify(entry)}\n`;
  const written = writeSync(file, line);
  const length = Buffer.byteLength(line);
  if (written !== length)
    throw Object.assign(new Error(`${to}: only ${written} of ${length} bytes were written`), {
      code: 'ENOSPC',
    });
  return written;
}

/** Null: there is none yet, or a crash or a full disk has left a part of it. */
export function readMachine({ machine }: Pick<Home, 'machine'>): string | null {
  const id = readIfThere(machine);
  return id?.length === MACHINE_ID_CHARS ? id : null;
}

/**
 * `sessions/<id>`: which loop a session owns, in one small read. The hook asks at every event of the host.
 */
export function findSession({ sessions }: Home, session: string): SessionEntry | null {
  const entry = record({ loop: isId, process: orNull(whole), project: text });
  return isId(session) ? parseAs(entry, readIfThere(`${sessions}${sep}${session}`)) : null;
}

export function hasReadyPrompt({ ready }: Home): boolean {
  return namesIfThere(ready).length > 0;
}

export function journalOf(home: Home, id: string): string {
  // Not joined: `dacapo status` asks for each of a thousand loops.
  return `${home.loops}${sep}${id}${sep}journal.jsonl`;
}

/**
 * The loop's start has not written its first event, or died before. A journal that holds anything is never
 * removed.
 */
export function isEmptyLoop(home: Home, id: string): boolean {
  return (statSync(journalOf(home, id), { throwIfNoEntry: false })?.size ?? 0) === 0;
}

export function lookupIn(home: Home): Lookup {
  return {
    sessions: { find: (session) => findSession(home, session) },
    ready: { any: () => hasReadyPrompt(home) },
  };
}

/**
 * `hook.log`: what the hook did, one line each, in two files of bounded size. If it can't be written, the
 * hook goes on.
 */
export function logTo(path: string, now: () => string): (line: string) => void {
  return (line) => {
    try {
      if (append(path, `${now()} ${line}\n`) > MAX_LOG_BYTES) rotateLog(path);
    } catch {
      // The home may not exist yet or be read-only. The hook works without this line.
    }
  };
}

function append(path: string, line: string): number {
  const file = openSync(path, 'a', 0o600);
  try {
    writeSync(file, line);
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}
