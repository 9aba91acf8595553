/** Loops as they are now, for every front end: the record, corrected by what it can't know. */
import { uptime } from 'node:os';
import { projectsOf, hasEnded, isLive, type Loop } from '#law/loop.ts';
import { refuse, type Granted, type Refusal } from '#base/refusal.ts';
import { attempt, remembered } from '#base/shape.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { liesIn } from '#base/files/paths.ts';
import { ownerLives, isHere, isOwnedByThisProcess, type Runtime } from '#store/runtime.ts';
import type { OpenLoop, Summary } from '#store/open-loop.ts';
import { readPromptText } from '#store/prompts.ts';
import type { Stored } from '#store/store.ts';
import { asShown } from '#telling/person/status.ts';

const MAX_EXCERPT_CHARS = 200;

/**
 * The loops of a folder and below, with those in work trees made from there; null for all projects. By
 * urgency.
 */
export function loopsUnder(root: string | null, runtime: Runtime): Loop[] {
  return newestUnder(root, Infinity, runtime).loops;
}

/**
 * The same, but of those that have ended only the newest. `more`: how many others have ended. `unread`: in
 * any project.
 */
export function newestUnder(
  root: string | null,
  most: number,
  runtime: Runtime,
): { readonly loops: Loop[]; readonly more: number; readonly unread: readonly UnreadLoop[] } {
  const { seen, ...rest } = lookUnder(root, most, runtime, (open) => ({ loop: knownLoop(open, runtime) }));
  return { loops: seen.map(({ loop }) => loop), ...rest };
}

/** The same, with what `look` takes from each loop while it is open. */
export function lookUnder<T extends { readonly loop: Loop }>(
  root: string | null,
  most: number,
  runtime: Runtime,
  look: (open: OpenLoop) => T,
): { readonly seen: T[]; readonly more: number; readonly unread: readonly UnreadLoop[] } {
  const { known, others } = runtime.store.summaries();
  const lies = remembered((project) => root === null || liesIn(root, project));
  const own = known.filter(({ projects }) => projects.some(lies));
  const ended = newestFirst(own.filter((one) => one.ended));
  const opened = [...own.filter((one) => !one.ended), ...ended.slice(0, most)];
  const broken = others.filter(({ loop }) => loop !== null && projectsOf(loop).some(lies));
  const seen = [...opened, ...broken]
    .flatMap(({ id }) => withLoop(id, runtime, look) ?? [])
    .sort((a, b) => byUrgency(a.loop, b.loop));
  return { seen, more: Math.max(0, ended.length - most), unread: others.filter(isUnread) };
}

/** Each time is read once: a sort of ten thousand would read it thirty times. */
function newestFirst(all: readonly Summary[]): Summary[] {
  return all
    .map((one) => ({ one, at: Date.parse(one.updatedAt) }))
    .toSorted((a, b) => b.at - a.at)
    .map(({ one }) => one);
}

export function byUrgency(a: Loop, b: Loop): number {
  return Number(hasEnded(a)) - Number(hasEnded(b)) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt);
}

/** The recorded loops of exactly this project, whichever session owns them. The oldest id comes first. */
export function loopsOf(project: string, runtime: Runtime): Loop[] {
  return runtime.store
    .summaries()
    .known.filter(({ projects }) => projects[0] === project)
    .flatMap(({ id }) => withLoop(id, runtime, (open) => open.loop()) ?? []);
}

export type UnreadLoop = Extract<Stored, { loop: null }>;

export function isUnread(stored: Stored): stored is UnreadLoop {
  return stored.loop === null;
}

/** Loops that can't be read now, or only by a later version of Da Capo. */
export function unreadLoops({ store }: Runtime): UnreadLoop[] {
  return store.summaries().others.filter(isUnread);
}

export function loopById(id: string, runtime: Runtime): Loop | null {
  return withLoop(id, runtime, (open) => knownLoop(open, runtime));
}

export function withLoop<T>(id: string, runtime: Runtime, act: (open: OpenLoop) => T): T | null {
  const open = runtime.store.open(id);
  if (open === null) return null;
  try {
    return act(open);
  } finally {
    open.close();
  }
}

export function knownLoop(open: OpenLoop, runtime: Runtime): Loop {
  return asKnown(open.loop(), open.broken(), runtime);
}

/**
 * The loop, corrected by what its record can't know: whether the owner is alive, and whether a line is
 * broken.
 */
export function asKnown(recorded: Loop, broken: string | null, runtime: Runtime): Loop {
  const loop = asShown(recorded, (owned) => ownerRuns(owned, runtime));
  if (broken === null || hasEnded(loop)) return loop;
  const detail = `its journal has a line that is not an event: ${oneLine(broken, MAX_EXCERPT_CHARS)}`;
  return { ...loop, status: { is: 'aborted', why: 'journal', detail, evidence: null } };
}

/** A process id from before the last boot belongs to another process. */
export function ownerRuns(loop: Loop, runtime: Runtime): boolean {
  const booted = Date.parse(runtime.now()) - uptime() * 1000;
  const { owner, boundAt } = loop.session;
  if (owner !== null && isHere(owner, runtime) && Date.parse(boundAt) < booted) return false;
  return ownerLives(loop, runtime);
}

/** How long a `dacapo run` may take to end its host after the loop was paused or ended elsewhere. */
const LETTING_GO_MS = 15_000;

/** The pid of an older run tells nothing: the process may be suspended, or another one. */
export function isBeingReleased(loop: Loop, runtime: Runtime): boolean {
  const { driver, updatedAt, session } = loop;
  if (driver !== 'fresh' || isLive(loop) || isOwnedByThisProcess(session.owner, runtime)) return false;
  return Date.parse(runtime.now()) - Date.parse(updatedAt) < LETTING_GO_MS && ownerRuns(loop, runtime);
}

export function subject(loop: Loop, runtime: Runtime): string {
  if (loop.name !== null) return oneLine(loop.name, MAX_EXCERPT_CHARS);
  return withLoop(loop.id, runtime, subjectOf) ?? '';
}

export function subjectOf(open: OpenLoop): string {
  const words = open.loop().name ?? readPrompt(open).slice(0, 4 * MAX_EXCERPT_CHARS);
  return oneLine(words, MAX_EXCERPT_CHARS);
}

export function readPrompt(open: OpenLoop, frame = open.loop().frame): string {
  return attempt(() => readPromptText(open.blobs, frame.prompt), '');
}

export type Opened<Next = string> = Granted<{ readonly open: OpenLoop }, Next>;

export async function whileOpen<T, Next = string>(
  opened: Opened<Next>,
  act: (open: OpenLoop) => T | Promise<T>,
): Promise<T | Refusal<Next>> {
  if (!opened.ok) return opened;
  try {
    return await act(opened.open);
  } finally {
    opened.open.close();
  }
}

/** The caller closes `open`. */
export function openById(id: string, { store }: Runtime): Opened {
  const name = JSON.stringify(oneLine(id, 80));
  try {
    const open = store.open(id);
    if (open !== null) return { ok: true, open };
  } catch (error) {
    return refuse('unread', `Loop ${name} can't be read.`, error instanceof Error ? error.message : '');
  }
  return refuse('no-loop', `There is no loop ${name}.`, 'dacapo list --all shows every loop.');
}
