/**
 * Lists the loops of the home. `cache/loops` has a summary of each, one line each: JSON with a check of every
 * field took as long as a start of Node for ten thousand. A file that is absent, damaged or of another
 * version has none.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LOOP_VERSION } from '#law/loop.ts';
import { attempt, errorMessage, isId, list, parseAs, text } from '#base/shape.ts';
import { summarize, type OpenLoop, type Summary } from '../open-loop.ts';
import type { Stamp, Store, Stored, Summaries } from '../store.ts';
import { isEmptyLoop, journalOf, namesIfThere, replaceFile, type Home } from './home.ts';
import { trustEnded } from './last-look.ts';
import { openLoop } from './open-loop.ts';

const NO_LOOP = 'its journal does not begin with a loop';

export function listStored(home: Home): Stored[] {
  return namesIfThere(home.loops)
    .filter(isId)
    .sort()
    .flatMap((id) => stored(home, id) ?? []);
}

function stored(home: Home, id: string): Stored | null {
  const opened = openOrSay(home, id);
  if (opened === null || 'unread' in opened) return opened;
  opened.close();
  return { id, loop: opened.loop(), broken: opened.broken() };
}

function openOrSay(home: Home, id: string): OpenLoop | Extract<Stored, { loop: null }> | null {
  try {
    const open = openLoop(home, id);
    return open ?? (isEmptyLoop(home, id) ? null : { id, loop: null, unread: NO_LOOP });
  } catch (error) {
    return { id, loop: null, unread: errorMessage(error) };
  }
}

export function stampsIn(home: Home): Stamp[] {
  return namesIfThere(home.loops)
    .filter(isId)
    .flatMap((id) => readStamp(home, id) ?? []);
}

/** The inode tells a loop that was removed and made again. Null: no journal. */
function readStamp(home: Home, id: string): Stamp | null {
  const stat = statSync(journalOf(home, id), { throwIfNoEntry: false });
  return stat === undefined ? null : { id, stamp: `${stat.ino}.${stat.size}.${stat.mtimeMs}` };
}

type Visit = Parameters<Store['visit']>;

/**
 * Summaries of all loops, kept in the home from one call to the next. A loop is opened only if its record has
 * grown since, or if it fits, so that a home with a thousand loops is not read to show one. Absent, damaged
 * or of another version, the file is made again. At most calls the records of loops that have ended are not
 * looked at (last-look.ts).
 */
export function visitLoops(
  home: Home,
  fits: Visit[0] = () => false,
  visit: Visit[1] = () => false,
): Summaries {
  const before = readSummaries(home.dir);
  const known: Summary[] = [];
  const others: Stored[] = [];
  // Where there is no loop yet, nothing is left behind.
  const trusts = before.size > 0 && trustEnded(home.dir);
  for (const id of namesIfThere(home.loops)) {
    const last = before.get(id);
    if (last === undefined && !isId(id)) continue;
    const stamp = trusts && last?.ended === true ? last.stamp : readStamp(home, id)?.stamp;
    if (stamp === undefined) continue;
    const same = last?.stamp === stamp ? last : null;
    const isAsked = same !== null && fits(same);
    if (same !== null && !isAsked) {
      known.push(same);
      continue;
    }
    const open = openOrSay(home, id);
    if (open === null) continue;
    if ('unread' in open) {
      others.push(open);
      continue;
    }
    const stored = { id, loop: open.loop(), broken: open.broken() };
    const read = same ?? summarize(stored, stamp);
    if (read === null) others.push(stored);
    else known.push(read);
    if (read === null || !(isAsked || fits(read)) || !visit(open)) open.close();
  }
  if (known.length !== before.size || known.some((one) => before.get(one.id) !== one))
    keepSummaries(home.dir, known);
  return { known, others };
}

const VERSION = `2.${LOOP_VERSION}`;
const END = 'end';
const paths = list(text);

/** By their ids. Many loops share a project, so its path stands in the file once. */
function readSummaries(home: string): ReadonlyMap<string, Summary> {
  const content = attempt(() => readFileSync(fileIn(home), 'utf8'), '');
  const [version, projects = '', ...lines] = content.split('\n');
  const known = parseAs(paths, projects);
  if (version !== VERSION || known === null || lines.pop() !== END) return new Map();
  const summaries = new Map<string, Summary>();
  // Read once for all loops of a project, and in a loop without calls: each costs a millisecond here.
  const projectsAt = new Map<string, readonly string[]>();
  for (const line of lines) {
    const [id = '', stamp = '', ended, updatedAt = '', places = '', more] = line.split(' ');
    let own = projectsAt.get(places);
    if (own === undefined) {
      own = places.split(',').flatMap((at) => known[Number(at)] ?? []);
      projectsAt.set(places, own);
    }
    if (own.length === 0 || more !== undefined) return new Map();
    summaries.set(id, { id, stamp, projects: own, ended: ended === '1', updatedAt });
  }
  return summaries;
}

function keepSummaries(home: string, loops: readonly Summary[]): void {
  const known = new Map<string, number>();
  const placeOf = (project: string) => {
    const at = known.get(project) ?? known.size;
    known.set(project, at);
    return at;
  };
  const lines = loops.map(({ id, stamp, projects, ended, updatedAt }) =>
    [id, stamp, ended ? 1 : 0, updatedAt, projects.map(placeOf).join()].join(' '),
  );
  const content = [VERSION, JSON.stringify([...known.keys()]), ...lines, END].join('\n');
  // On a full disk, or in a home that can only be read, the next call reads the loops again.
  attempt(() => replaceFile(fileIn(home), content, { durable: false }), undefined);
}

function fileIn(home: string): string {
  return join(home, 'cache', 'loops');
}
