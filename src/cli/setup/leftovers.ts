/** What crashes and removed loops leave in the home, and in the folder for temporary files: temporary files, entries that point to nothing, half-made loops. */
import { lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { World } from '../../store/runtime.ts';
import { isId } from '../../store/file/home.ts';
import { sessionEntry } from '../../store/file/sessions.ts';
import { withLoop } from '../../operations/find.ts';

/** Younger than this, someone may still be writing it. */
const SETTLED_MS = 60 * 60_000;
const TEMPORARY = /\.(\d+)\.tmp$/;

/** Folders that git's copies of an index, and the set-up of a work tree, need for a moment. */
const SCRATCH = /^dacapo-(?:index|setup)-/;

/** `removed`: loops that are gone, or will be. */
export function findLeftovers(removed: ReadonlySet<string>, world: World): string[] {
  const { home } = world;
  const now = Date.parse(world.now());
  const settled = (path: string) =>
    now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > SETTLED_MS;
  const loops = listing(home.loops).filter((path) => !removed.has(basename(path)));
  return [
    ...[home.dir, home.sessions, home.ready, ...loops]
      .flatMap(listing)
      .filter((path) => isAbandoned(path, settled, world)),
    ...listing(home.sessions).filter(
      (path) => !TEMPORARY.test(path) && isStaleSession(path, removed, settled, world),
    ),
    ...listing(home.ready).filter((path) => !TEMPORARY.test(path) && isStaleReady(path, removed, world)),
    // Said again at worst.
    ...listing(home.announced).filter(settled),
    ...loops.filter((path) => isHalfMade(path, settled)),
    ...listing(tmpdir()).filter((path) => SCRATCH.test(basename(path)) && isMine(path) && settled(path)),
  ];
}

function isAbandoned(path: string, settled: (path: string) => boolean, world: World): boolean {
  const writer = TEMPORARY.exec(path)?.[1];
  return writer !== undefined && (!world.isAlive(Number(writer)) || settled(path));
}

/** The folder for temporary files is everybody's. */
function isMine(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

function isStaleSession(
  path: string,
  removed: ReadonlySet<string>,
  settled: (path: string) => boolean,
  world: World,
): boolean {
  const session = basename(path);
  const entry = sessionEntry(world.home, session);
  if (entry === null) return settled(path);
  if (removed.has(entry.loop)) return true;
  const owner = withLoop(entry.loop, world, (open) => open.loop().owner?.session ?? null);
  return owner !== session && settled(path);
}

function isStaleReady(path: string, removed: ReadonlySet<string>, world: World): boolean {
  const id = readFileSync(path, 'utf8').trim();
  return !isId(id) || removed.has(id) || withLoop(id, world, (open) => open.loop().status.is) !== 'pending';
}

/** A start that died before its first event. A record that holds anything is never touched. */
function isHalfMade(folder: string, settled: (path: string) => boolean): boolean {
  const record = statSync(join(folder, 'journal.jsonl'), { throwIfNoEntry: false });
  return (record === undefined || record.size === 0) && settled(folder);
}

function listing(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
