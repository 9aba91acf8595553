/** The loop that a command acts on, opened once. What a command only reads is found in `look/find.ts`. */
import { projectsOf, hasEnded, type Loop } from '#law/loop.ts';
import { errorMessage, remembered } from '#base/shape.ts';
import { liesIn, realPath } from '#base/files/paths.ts';
import type { OpenLoop, Summary } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import type { Advice, AdvisedCommand, Refused } from '#telling/advice.ts';
import type { Stored } from '#store/store.ts';
import {
  FLEET_COPY,
  isLoopNamed,
  refuseUnclear,
  unknownLoop,
  unreadOf,
  type Choice,
  type Unclear,
} from '../look/find.ts';
import { byUrgency, isUnread, knownLoop, type Opened } from '../look/loops.ts';

/** The caller closes `open`. */
export type ResolvedLoop =
  | { readonly is: 'one'; readonly open: OpenLoop }
  | { readonly is: 'none' }
  | Unclear;

/** Which loops of the project can be meant where no id is given. None that has ended is a candidate. */
export interface Candidates {
  readonly fits: (open: OpenLoop) => boolean;
  /** Of several, only such are meant, if there are any. */
  readonly rather?: (open: OpenLoop) => boolean;
  /** If none fits: the newest of the project, ended or not. */
  readonly orNewest?: boolean;
}

/** Its record can be trusted, and it has not ended. */
export function goesOn(open: OpenLoop): boolean {
  return open.broken() === null && !hasEnded(open.loop());
}

/** Opens the loop with that id, end of an id or name; without one, the only candidate of the project. */
export function resolveLoop(choice: Choice, candidates: Candidates, runtime: Runtime): ResolvedLoop {
  if (choice.id !== undefined) return orCopy(resolveNamed(choice.id, runtime), runtime);
  const found = openCandidates(choice, candidates.fits, runtime);
  const preferred = found.own.filter(candidates.rather ?? (() => false));
  const meant = preferred.length > 0 ? preferred : found.own;
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) {
    closeAll([...found.own, ...found.below].filter((open) => open !== only));
    return { is: 'one', open: only };
  }
  closeAll([...found.own, ...found.below]);
  if (others.length > 0) return { is: 'several', loops: shown(meant, runtime) };
  if (found.below.length > 0) return { is: 'below', loops: shown(found.below, runtime) };
  return (candidates.orNewest && found.openNewest()) || (unreadOf(found.unread) ?? { is: 'none' });
}

/** All candidates of the project, which the caller closes; or why none is meant. */
export function resolveAll(choice: Omit<Choice, 'id'>, fits: Candidates['fits'], runtime: Runtime) {
  const { own, below } = openCandidates(choice, fits, runtime);
  closeAll(below);
  if (own.length > 0 || below.length === 0) return { is: 'all' as const, opened: own };
  return { is: 'below' as const, loops: shown(below, runtime) };
}

/** The caller closes `open`. `command`: what the caller ran. */
export function openResolved(found: ResolvedLoop, command: AdvisedCommand, none: Refused): Opened<Advice> {
  if (found.is === 'one') return { ok: true, open: found.open };
  return found.is === 'none' ? none : refuseUnclear(found, command);
}

/** Acts on the loop that is meant, and closes it. */
export function actOnLoop<T extends object>(
  found: ResolvedLoop,
  command: AdvisedCommand,
  none: Refused,
  act: (open: OpenLoop) => T | Refused,
): T | Refused {
  const opened = openResolved(found, command, none);
  if (!opened.ok) return opened;
  try {
    return act(opened.open);
  } finally {
    opened.open.close();
  }
}

/** `below`: of projects below a folder that is none. A command there must not reach into them. */
function openCandidates(
  { root, isOutside = false }: Omit<Choice, 'id'>,
  fits: Candidates['fits'],
  runtime: Runtime,
) {
  const lies = remembered((project) => liesIn(root, project));
  const isOwn = (projects: readonly string[]) =>
    !isOutside || projects.some((project) => realPath(project) === root);
  const inside: Summary[] = [];
  const opened: OpenLoop[] = [];
  const { others } = runtime.store.visit(
    (one) => one.projects.some(lies) && inside.push(one) > 0 && !one.ended,
    (open) => fits(open) && opened.push(open) > 0,
  );
  opened.sort((a, b) => byUrgency(a.loop(), b.loop()));
  const openNewest = (): ResolvedLoop | null => {
    const broken = others.flatMap(asSummary).filter(({ projects }) => projects.some(lies));
    const [newest] = [...inside, ...broken].filter(({ projects }) => isOwn(projects)).toSorted(byAge);
    const open = newest === undefined ? null : runtime.store.open(newest.id);
    return open && { is: 'one', open };
  };
  return {
    own: opened.filter((open) => isOwn(projectsOf(open.loop()))),
    below: opened.filter((open) => !isOwn(projectsOf(open.loop()))),
    unread: others.filter(isUnread),
    openNewest,
  };
}

type Aged = Pick<Summary, 'id' | 'projects' | 'ended' | 'updatedAt'>;

/** A record that can't be trusted has ended. */
function asSummary({ id, loop }: Stored): readonly Aged[] {
  return loop === null ? [] : [{ id, projects: projectsOf(loop), ended: true, updatedAt: loop.updatedAt }];
}

function byAge(a: Aged, b: Aged): number {
  return Number(a.ended) - Number(b.ended) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt);
}

function resolveNamed(wanted: string, runtime: Runtime): ResolvedLoop {
  try {
    const exact = runtime.store.open(wanted);
    if (exact !== null) return { is: 'one', open: exact };
  } catch (error) {
    return { is: 'unknown', wanted, all: [], unread: errorMessage(error) };
  }
  const ids: string[] = [];
  const opened: OpenLoop[] = [];
  const { others } = runtime.store.visit(
    ({ id }) => ids.push(id) > 0,
    (open) => isLoopNamed(open.loop(), wanted) && opened.push(open) > 0,
  );
  const broken = others.flatMap(({ id, loop }) => (loop !== null && isLoopNamed(loop, wanted) ? [id] : []));
  opened.push(...broken.flatMap((id) => runtime.store.open(id) ?? []));
  const [only, ...more] = opened;
  if (only === undefined) return unknownLoop(wanted, ids, others.filter(isUnread));
  if (more.length === 0) return { is: 'one', open: only };
  closeAll(opened);
  return { is: 'several', loops: shown(opened, runtime) };
}

function orCopy(found: ResolvedLoop, runtime: Runtime): ResolvedLoop {
  if (found.is !== 'one' || found.open.blobs.read(FLEET_COPY) === null) return found;
  found.open.close();
  return { is: 'copy', loop: knownLoop(found.open, runtime) };
}

/** What was read stays known after closing. */
function shown(opened: readonly OpenLoop[], runtime: Runtime): Loop[] {
  return opened.map((open) => knownLoop(open, runtime)).toSorted(byUrgency);
}

function closeAll(opened: readonly OpenLoop[]): void {
  for (const open of opened) open.close();
}
