/**
 * Every file that the agent of one loop must not write, for one arrival. Each look at the disk happens once.
 */
import { statSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve, sep, basename } from 'node:path';
import { globs } from '#base/globs.ts';
import type { Loop } from '#law/loop.ts';
import { openRequestsOf } from '#law/waiting/requests.ts';
import { once } from '#base/shape.ts';
import { changesBetween, type FileListing, readListing } from '../proofs/changes.ts';
import { realPath, namesIn, realPathOrNull } from '#base/files/paths.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { STATE_FILES, VIEW_FILES, fileNamesOf, sourceOf } from '../views/names.ts';
import { APPROVED, PENDING, REJECTED, requestFile, requestFolder } from '../views/places.ts';
import { foldsCase, listProtected, protects } from '../proofs/protected.ts';
import { listsOf } from './lists.ts';
import type { ForbiddenFile } from './refusals.ts';
import type { Runtime } from '#store/runtime.ts';

/** The state files of every view. A progress file also belongs to the agent, so it is not among them. */
const VIEWS = STATE_FILES.flatMap((file) =>
  fileNamesOf(file).map((name) => `**/${file.folder ?? '*'}/${name}`),
);
/**
 * The same files by name alone, anywhere in a text. Bounded, so that a long row of names is read only once.
 */
const VIEW_NAME = new RegExp(
  `\\b(?:${[...new Set(STATE_FILES.map(({ name }) => sourceOf(name, '[\\w.-]{0,100}')))].join('|')})`,
  'i',
);
const CONFIGS = ['**/dacapo.config.*'];

export type Area = ReturnType<typeof readArea>;

/** Where the agent works, with links resolved. */
export type ProjectPlace = Pick<Area, 'project' | 'foldCase' | 'behindLinks'>;

export interface OwnFile {
  readonly is: 'definition' | 'config' | 'items' | 'judge' | 'answers';
  /** As it is shown, and where it really lies. */
  readonly path: string;
  readonly place: string;
}

/** `hostFiles`: what decides how the host runs our hooks. */
export function readArea(open: OpenLoop, hostFiles: readonly string[], runtime: Runtime) {
  const loop = open.loop();
  const behindLinks = linkResolver();
  const project = behindLinks(loop.project);
  const foldCase = foldsCase(project);
  const placeOf = (file: string) => join(project, file);
  const own =
    (is: OwnFile['is']) =>
    (path: string): OwnFile => ({ is, path, place: behindLinks(resolve(project, path)) });
  const ours = [...viewsOf(loop).map(own('definition')), ...trustedFiles(loop, runtime).map(own('config'))];
  const atStart = once(
    (): FileListing =>
      (loop.protection.baseline === null ? null : readListing(open.blobs, loop.protection.baseline)) ?? [],
  );
  const above = once(() => foldersAbove(atStart(), (file) => cased(placeOf(file), foldCase)));
  const answers = answerPlaces(loop).map(own('answers'));
  const judges = [...hostFiles, ...programsOf(runtime, project)].map(own('judge'));
  const place = runtime.store.place();
  const home = outermostHome(place);
  return {
    loop,
    home: behindLinks(home),
    /** The home of the agent itself, where that is inside the state of a worker; null: it is not. */
    loopHome: place === home ? null : behindLinks(join(dirname(place), 'homes', loop.id)),
    project,
    foldCase,
    isView: globs(VIEWS, foldCase),
    isConfig: globs(CONFIGS, foldCase),
    /**
     * What this loop itself is made of, file by file: its views, its config, all that was trusted with it,
     * and its judge.
     */
    own: [...ours, ...answers, ...judges],
    /** The lists it works off. Forbidden only for acts that remove waiting items. */
    lists: listsOf(loop).map(own('items')),
    isProtected:
      loop.protection.protect.length === 0 ? () => false : protects(loop.protection.protect, project),
    atStart,
    /** A protected file at this path or below it. */
    protectedIn: (path: string) => above().get(cased(path, foldCase)) ?? null,
    /** The protected files now, and how they differ from the baseline; null: unknown. */
    since: once(() => {
      const now = loop.protection.baseline === null ? null : listProtected(loop.protection.protect, project);
      return now?.ok ? { now: now.files, changes: changesBetween(atStart(), now.files) } : null;
    }),
    placeOf,
    behindLinks,
    /** The forbidden file that this file also is, through a second name (a hard link). */
    sameFile: (path: string): ForbiddenFile | null => {
      const inode = secondNamed(path);
      if (inode === null) return null;
      const file = atStart().find((one) => secondNamed(placeOf(one.path)) === inode);
      if (file !== undefined) return { is: 'protected', path: file.path };
      const mine = ours.find(({ place }) => secondNamed(place) === inode);
      if (mine !== undefined) return mine;
      const folders = [runtime.store.place(loop.id), place, home];
      const records = folders.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
      const record = records.find((one) => secondNamed(one) === inode);
      return record === undefined ? null : { is: 'home', path: record };
    },
    viewIn: (text: string) => VIEW_NAME.exec(text)?.[0] ?? null,
  };
}

/**
 * A worker of a fleet keeps the state of its passes inside its own, beside its settings and the trees of
 * other loops.
 */
const INSIDE_A_WORKER = /[\\/]fleet[\\/]workers[\\/][^\\/]+[\\/]home[\\/]?$/;

function outermostHome(home: string): string {
  return home.replace(INSIDE_A_WORKER, '');
}

/** Device and inode of a file with more than one name; null for any other file. */
function secondNamed(path: string): string | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() && stat.nlink > 1 ? `${stat.dev} ${stat.ino}` : null;
  } catch {
    return null;
  }
}

/**
 * What judges, and how it is registered: the whole plugin, and the command line that it came with. Where the
 * project is that package, its agent works on all of it but the programs that run now.
 */
function programsOf({ runner }: Runtime, project: string): string[] {
  const plugin = dirname(dirname(runner));
  const pack = dirname(plugin);
  const inPlugin =
    pack === project ? [dirname(runner), join(plugin, 'hooks'), join(plugin, 'guard')] : [plugin];
  return [
    ...inPlugin,
    join(pack, 'bin'),
    join(pack, 'dist'),
    ...(pack === project ? [] : [join(pack, 'package.json')]),
  ];
}

/**
 * Where a person answers, and the requests that are open. The agent may keep files of its own among those.
 */
function answerPlaces(loop: Loop): string[] {
  if (loop.people.approvals === null && loop.people.requested === 0) return [];
  const parent = requestFolder(loop);
  return [
    ...[APPROVED, REJECTED].map((folder) => join(parent, folder)),
    ...openRequestsOf(loop).map(({ id }) => requestFile(parent, PENDING, id)),
  ];
}

/** What the agent notes in the progress file is its own. */
function viewsOf({ files: { view, views } }: Loop): string[] {
  const others = views
    .filter(({ kind }) => VIEW_FILES[kind].some(({ use }) => use === 'state'))
    .map(({ file }) => file);
  return view === null ? others : [view, ...others];
}

function trustedFiles({ config, project }: Loop, { store }: Runtime): readonly string[] {
  if (config === null) return [];
  const pin = store.trust.find(realPath(project), config.file);
  // Installed packages may be reinstalled; the stop compares them.
  return (
    pin?.files.map(({ file }) => file).filter((file) => !/(?:^|\/)node_modules\//.test(file)) ?? [config.file]
  );
}

/** Maps a file's own path and each folder above it to the file. */
function foldersAbove(files: FileListing, placeOf: (file: string) => string): Map<string, string> {
  const above = new Map<string, string>();
  for (const { path } of files)
    for (let at = placeOf(path), last = ''; at !== last && !above.has(at); at = dirname(at)) {
      above.set(at, path);
      last = at;
    }
  return above;
}

export function isSame(path: string, other: string, foldCase: boolean): boolean {
  return cased(path, foldCase) === cased(other, foldCase);
}

/** Both paths are absolute, without `..`. We avoid `relative`, which parses both at each call. */
export function isBelow(path: string, folder: string, foldCase: boolean): boolean {
  const [inner, outer] = [cased(path, foldCase), cased(folder, foldCase)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

function cased(path: string, foldCase: boolean): string {
  return foldCase ? path.toLowerCase() : path;
}

/** Linux follows no more links in a row. */
const MAX_LINKS_FOLLOWED = 40;

/**
 * Resolves links even if the file itself does not exist yet. For one arrival only, because it caches what it
 * saw.
 */
function linkResolver(): (path: string) => string {
  const known = new Map<string, string>();
  const behind = (path: string, links = 0): string => {
    const folder = dirname(path);
    if (folder === path) return path;
    const target = links > MAX_LINKS_FOLLOWED ? null : linkAt(path);
    const inside = known.get(folder) ?? behind(folder);
    known.set(folder, inside);
    if (target === null) return join(inside, basename(path));
    // A link to a file that does not exist yet is followed too: a write through the link creates that file.
    return realPathOrNull(path) ?? behind(resolve(inside, target), links + 1);
  };
  return (path) => behind(path);
}

function linkAt(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
