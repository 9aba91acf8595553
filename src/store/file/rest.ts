/** The parts of the store that a common stop does not need. In the plugin they are a separate file. */
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hash } from '#base/hash.ts';
import { parseAs, jsonLines, list, record, isId, readAs, oneOf } from '#base/shape.ts';
import { pin, storedHook, type Pin, type Store } from '../store.ts';
import {
  appendLine,
  replaceFile,
  ifThere,
  isExistsError,
  makePrivateFolder,
  namesIn,
  readIfThere,
  readMachine,
  MACHINE_LENGTH,
  type Home,
  findSession,
  syncFolder,
} from './home.ts';
import { makeInHome } from './make-in-home.ts';
import { fileLoops } from './loops.ts';
import { folderIn } from './journal-reader.ts';

const storedHooks = list(storedHook);

type Rest = Omit<Store, 'place' | 'open' | 'sessions' | 'ready'> & {
  readonly sessions: Omit<Store['sessions'], 'find'>;
  readonly ready: Omit<Store['ready'], 'any'>;
};

export function restOfStore(home: Home): Rest {
  return {
    ...fileLoops(home),
    folder: (name) => folderIn(home.dir, name),
    machine: () => makeMachine(home),
    sessions: fileSessions(home),
    ready: fileReady(home),
    once: fileOnce(home),
    trust: fileTrust(home),
    hooks: fileHooks(home),
    config: () => readIfThere(home.config),
    tasks: fileTasks(home),
  };
}

/**
 * `machine`: a random id, made once. A host name can change with the network, and the loops would seem to be
 * elsewhere.
 */
function makeMachine(home: Home): string {
  const made = hash(`${Math.random()} ${Math.random()} ${process.pid} ${Date.now()}`).slice(-MACHINE_LENGTH);
  makeInHome(home.dir, home.dir);
  try {
    return linkMachine(home.machine, made) ?? healMachine(home, made);
  } catch {
    // We can't write here. Then there is no loop that needs the id either.
    return readMachine(home) ?? made;
  }
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

function fileSessions(home: Home): Rest['sessions'] {
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
      namesIn(sessions).flatMap((session) => {
        const entry = findSession(home, session);
        return entry === null ? [] : [{ session, entry }];
      }),
  };
}

/** `ready/<key>`: the id of a loop that waits for its first prompt. */
function fileReady({ ready }: Home): Rest['ready'] {
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
function fileOnce({ announced }: Home): Rest['once'] {
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

function fileHooks({ hooks: path }: Home): Rest['hooks'] {
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
function fileTrust({ trust: path }: Home): Rest['trust'] {
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

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;
const TASK_ENDING = '.jsonl';

/** `tasks/<id>.jsonl`: lines as in a journal. */
function fileTasks({ tasks: folder }: Home): Rest['tasks'] {
  const pathOf = (id: string) => join(folder, `${id}${TASK_ENDING}`);
  return {
    read: (id) => {
      const content = isId(id) ? readIfThere(pathOf(id)) : null;
      return content === null ? null : jsonLines(content);
    },
    make: (id, first) => {
      if (!isId(id)) throw new Error(`task id ${JSON.stringify(id)} can't be a file name`);
      makePrivateFolder(folder);
      try {
        writeTask(pathOf(id), O_CREAT | O_EXCL, first, true);
        syncFolder(folder);
        return true;
      } catch (error) {
        if (isExistsError(error)) return false;
        throw error;
      }
    },
    append: (id, entry, { durable = true } = {}) => writeTask(pathOf(id), 0, entry, durable),
    ids: () =>
      namesIn(folder)
        .filter((name) => name.endsWith(TASK_ENDING))
        .map((name) => name.slice(0, -TASK_ENDING.length))
        .filter(isId)
        .sort(),
    size: () =>
      namesIn(folder)
        .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, size) => sum + size, 0),
  };
}

function writeTask(path: string, flags: number, entry: object, durable: boolean): void {
  const file = openSync(path, O_WRONLY | O_APPEND | flags, 0o600);
  try {
    appendLine(file, 'task', entry);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
