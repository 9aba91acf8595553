/** Which loop a caller means: by id, by the end of an id, by name, or the only one that fits. */
import { projectsOf, type Loop } from '#law/loop.ts';
import { refuse } from '#base/refusal.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { realPath } from '#base/files/paths.ts';
import { nearest } from '#base/words/did-you-mean.ts';
import type { Runtime } from '#store/runtime.ts';
import { advise, type AdvisedCommand, type Refused } from '#telling/advice.ts';
import { adviseSteps, nextSteps } from '#telling/next-step.ts';
import { sayStatus, title } from '#telling/person/status.ts';
import { loopsUnder, unreadLoops, type UnreadLoop } from './loops.ts';

export interface Choice {
  /** An id, the end of an id, or a name, in any project; undefined if none was given. */
  readonly id: string | undefined;
  /** The folder whose loops can be meant if no id is given. */
  readonly root: string;
  /** The folder is not a project (/tmp, for example): what is below it belongs to other projects. */
  readonly isOutside?: boolean;
}

export type FoundLoop = { readonly is: 'one'; readonly loop: Loop } | { readonly is: 'none' } | Unclear;

/** Why no loop is meant. */
export type Unclear =
  | { readonly is: 'several'; readonly loops: readonly Loop[] }
  /** Only projects below this folder have such loops, and the caller did not ask for those. */
  | { readonly is: 'below'; readonly loops: readonly Loop[] }
  | { readonly is: 'copy'; readonly loop: Loop }
  | UnknownLoop;

interface UnknownLoop {
  readonly is: 'unknown';
  readonly wanted: string;
  /** The ids of all loops. */
  readonly all: readonly string[];
  readonly unread: string | null;
}

/** A blob that `dacapo fleet pull` leaves beside a copy. What changes a copy would not reach the loop. */
export const FLEET_COPY = 'fleet.json';

/** A command outside of any project must not reach into the projects below. */
export function loopsToActOn(
  { root, isOutside = false }: Omit<Choice, 'id'>,
  runtime: Runtime,
): { readonly own: readonly Loop[]; readonly below: readonly Loop[] } {
  const loops = loopsUnder(root, runtime);
  const isOwn = (loop: Loop) => !isOutside || projectsOf(loop).some((project) => realPath(project) === root);
  return { own: loops.filter(isOwn), below: loops.filter((loop) => !isOwn(loop)) };
}

/** For reading only. Without an id: the loop that changed last, whether it has ended or not. */
export function findNewest({ id, root }: Choice, runtime: Runtime): FoundLoop {
  if (id !== undefined) return findNamed(id, runtime);
  const [last] = loopsUnder(root, runtime).toSorted(
    (a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt),
  );
  return orUnread(theOnly(last === undefined ? [] : [last]), runtime);
}

function orUnread(found: FoundLoop, runtime: Runtime): FoundLoop {
  return found.is === 'none' ? (unreadOf(unreadLoops(runtime)) ?? found) : found;
}

/** While some loop can't be read, "there is none" would be a guess: it may be the one that is meant. */
export function unreadOf([first]: readonly UnreadLoop[]): UnknownLoop | null {
  return first === undefined ? null : { is: 'unknown', wanted: first.id, all: [], unread: first.unread };
}

function findNamed(wanted: string, runtime: Runtime): FoundLoop {
  const all = loopsUnder(null, runtime);
  const exact = all.find(({ id }) => id === wanted);
  if (exact !== undefined) return { is: 'one', loop: exact };
  const found = theOnly(all.filter((loop) => isLoopNamed(loop, wanted)));
  if (found.is !== 'none') return found;
  return unknownLoop(
    wanted,
    all.map(({ id }) => id),
    unreadLoops(runtime),
  );
}

export function unknownLoop(
  wanted: string,
  all: readonly string[],
  unread: readonly UnreadLoop[],
): UnknownLoop {
  const meant = unread.find(({ id }) => wanted !== '' && id.endsWith(wanted));
  return { is: 'unknown', wanted, all, unread: meant?.unread ?? null };
}

/** By its name, or by the end of its id. */
export function isLoopNamed({ id, name }: Loop, wanted: string): boolean {
  return name === wanted || (wanted !== '' && id.endsWith(wanted));
}

function theOnly(loops: readonly Loop[]): FoundLoop {
  const [only, ...others] = loops;
  if (only === undefined) return { is: 'none' };
  return others.length === 0 ? { is: 'one', loop: only } : { is: 'several', loops };
}

export type ActedOn = { readonly ok: true; readonly loop: Loop } | Refused;

/** `command`: what the caller ran, for the next step. */
export function refuseUnclear(found: Unclear, command: AdvisedCommand): Refused {
  if (found.is === 'unknown') return refuseUnknown(found);
  if (found.is === 'copy') {
    const own = { ...command, loop: found.loop.id, of: 'fleet' } as const;
    const why = `Loop ${title(found.loop)} is a copy of a loop that a fleet works on.`;
    return refuse('copy', why, advise`Act on the loop itself: ${own}`);
  }
  const isBelow = found.is === 'below';
  const lines = found.loops.map(
    (loop) => `\n  ${title(loop)} ${sayStatus(loop)}${isBelow ? ` (${loop.project})` : ''}`,
  );
  const head = isBelow
    ? 'This folder is in no project and has no such loop. Below it:'
    : `${found.loops.length} loops could be meant:`;
  return refuse(
    isBelow ? 'outside' : 'several-loops',
    `${head}${lines.join('')}`,
    advise`Name one: ${{ ...command, loop: found.loops[0]?.id ?? 'ID' }}`,
  );
}

function refuseUnknown({ wanted, all, unread }: UnknownLoop): Refused {
  if (unread !== null) return refuse('unread', `Loop ${wanted} can't be read.`, unread);
  const meant = nearest(wanted, all);
  const none = all.length === 0 ? '; there is none yet' : '';
  const list = { verb: 'list-all' } as const;
  const next = advise`${list} shows every loop${none}.${meant === null ? '' : ` Is it ${meant}?`}`;
  return refuse('no-loop', `There is no loop ${JSON.stringify(oneLine(wanted, 80))}.`, next);
}

export function refuseEnded(loop: Loop, now: string): Refused {
  const next = advise`${adviseSteps(nextSteps(loop, now, 'onlooker'))}.`;
  return refuse('ended', `Loop ${title(loop)} ${sayStatus(loop)}.`, next);
}

/** Null: nobody removes its record. */
export function refusePruned(loop: Loop): Refused | null {
  if (loop.pruned !== true) return null;
  const next = advise`Start a new one: ${{ verb: loop.driver === 'fresh' ? 'begin' : 'start' }}`;
  return refuse('pruned', `Loop ${title(loop)} is removed by dacapo prune.`, next);
}
