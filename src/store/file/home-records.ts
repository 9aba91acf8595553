/**
 * The small files of the home: the id of this machine, which session owns which loop, prompts that a loop
 * waits for, what was said once, what this user has agreed to run, and the user's own stop hooks.
 */
import { existsSync, linkSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hash } from '#base/hash.ts';
import { attempt, isId, list, oneOf, parseAs, readAs, record } from '#base/shape.ts';
import { pin, storedHook, type Pin, type Store } from '../store.ts';
import {
  findSession,
  ifThere,
  isExistsError,
  MACHINE_ID_CHARS,
  makeInHome,
  makePrivateFolder,
  namesIfThere,
  readIfThere,
  readMachine,
  replaceFile,
  type Home,
} from './home.ts';
import { syncFolder } from '#base/files/rename.ts';

type StoredSessions = Omit<Store['sessions'], 'find'>;
type StoredPrompts = Omit<Store['ready'], 'any'>;

export function homeRecords(home: Home) {
  return {
    machine: () => makeMachine(home),
    sessions: fileSessions(home),
    ready: fileReady(home),
    once: fileOnce(home),
    trust: fileTrust(home),
    hooks: fileHooks(home),
  };
}

function fileSessions(home: Home): StoredSessions {
  const { sessions } = home;
  return {
    keep: (session, entry) => {
      if (!isId(session)) throw new Error(`session id ${JSON.stringify(session)} can't be a file name`);
      replaceFile(join(sessions, session), JSON.stringify(entry), { durable: false });
    },
    drop: (session) => {
      if (!isId(session)) return false;
      return ifThere(() => (unlinkSync(join(sessions, session)), true), false);
    },
    all: () =>
      namesIfThere(sessions).flatMap((session) => {
        const entry = findSession(home, session);
        return entry === null ? [] : [{ session, entry }];
      }),
  };
}

/** `ready/<key>`: the id of a loop that waits for its first prompt. */
function fileReady({ ready }: Home): StoredPrompts {
  const pathOf = (project: string, prompt: string) =>
    join(ready, hash(`${resolve(project)}\n${prompt.trim()}`));
  return {
    find: (project, prompt) => {
      const id = readIfThere(pathOf(project, prompt))?.trim() ?? '';
      return isId(id) ? id : null;
    },
    keep: (project, prompt, loop) => {
      makePrivateFolder(ready);
      writeFileSync(pathOf(project, prompt), loop, { mode: 0o600 });
    },
    drop: (project, prompt) => rmSync(pathOf(project, prompt), { force: true }),
  };
}

/** `announced/<key>`: what Da Capo has already said once. The files are empty; prune removes them. */
function fileOnce({ announced }: Home): Store['once'] {
  const pathOf = (about: string) => join(announced, hash(about));
  return {
    isNews: (about) => {
      makePrivateFolder(announced);
      try {
        writeFileSync(pathOf(about), '', { flag: 'wx', mode: 0o600 });
        return true;
      } catch (error) {
        // What can't be noted is said again at worst; it must not go unsaid.
        return !isExistsError(error);
      }
    },
    forget: (about) => ifThere(() => (unlinkSync(pathOf(about)), true), false),
  };
}

const storedHooks = list(storedHook);

function fileHooks({ hooks: path }: Home): Store['hooks'] {
  return {
    any: () => existsSync(path),
    // A hook that can't be read is reported, never skipped in silence: it may be a guard.
    read: () => {
      const content = readIfThere(path);
      const hooks = content === null ? [] : parseAs(storedHooks, content);
      return hooks === null ? { ok: false, why: `${path} is not a list of stop hooks` } : { ok: true, hooks };
    },
    write: (hooks) => replaceFile(path, `${JSON.stringify(hooks, null, 2)}\n`),
  };
}

const trust = record({ version: oneOf('1'), pins: list(pin) });

/**
 * `trust.json`: what this user has agreed to run, pinned by digest. A file that can't be read trusts nothing.
 */
function fileTrust({ trust: path }: Home): Store['trust'] {
  const write = (pins: readonly Pin[]) =>
    replaceFile(path, `${JSON.stringify({ version: '1', pins }, null, 2)}\n`);
  return {
    find: (project, file) => readPins(path).find((one) => isSame(one, { project, file })) ?? null,
    keep: (given) => write([...readPins(path).filter((one) => !isSame(one, given)), given]),
    drop: (which) => {
      const pins = readPins(path);
      const others = pins.filter((one) => !isSame(one, which));
      if (others.length === pins.length) return false;
      write(others);
      return true;
    },
  };
}

function readPins(path: string): readonly Pin[] {
  return readAs(trust, () => readIfThere(path))?.pins ?? [];
}

function isSame(a: Pick<Pin, 'project' | 'file'>, b: Pick<Pin, 'project' | 'file'>): boolean {
  return a.project === b.project && a.file === b.file;
}

/**
 * `machine`: a random id, made once. A host name can change with the network, and the loops would seem to be
 * elsewhere.
 */
function makeMachine(home: Home): string {
  const made = hash(`${Math.random()} ${Math.random()} ${process.pid} ${Date.now()}`).slice(
    -MACHINE_ID_CHARS,
  );
  makeInHome(home.dir, home.dir);
  const keep = () => linkMachine(home.machine, made) ?? healMachine(home, made);
  // A disk that fails once must not give a loop to a machine that nobody knows afterwards. Where nothing can
  // be written, there is no loop that needs the id either.
  return attempt(keep, null) ?? attempt(keep, null) ?? readMachine(home) ?? made;
}

/**
 * A file that holds no whole id is replaced. Several processes may do that at once: the first one to link its
 * id under the other name decides for all of them.
 */
function healMachine(home: Home, made: string): string {
  const healed = `${home.machine}.healed`;
  const id = linkMachine(healed, made) ?? readMachine({ machine: healed }) ?? made;
  replaceFile(home.machine, id);
  return id;
}

/** A link is made whole or not at all: nobody reads half an id. Null: the file is there, and has none. */
function linkMachine(path: string, id: string): string | null {
  const temporary = `${path}.${id}.new`;
  try {
    writeFileSync(temporary, id, { mode: 0o600, flush: true });
    try {
      linkSync(temporary, path);
      syncFolder(dirname(path));
    } catch (error) {
      if (isExistsError(error)) throw error;
      // Some file systems have no links.
      writeFileSync(path, id, { flag: 'wx', mode: 0o600, flush: true });
    }
    return id;
  } catch (error) {
    if (!isExistsError(error)) throw error;
    return readMachine({ machine: path });
  } finally {
    rmSync(temporary, { force: true });
  }
}
