/**
 * Looks at the ground when the gates would hold. If it has changed, the checks run once more in a clean room,
 * with the ground of the start. If they fail there, a second room with the ground of now tells whether the
 * ground makes the difference or the room. New tests also run on the code of the start.
 */
import { globs } from '#base/globs.ts';
import {
  groundResult,
  keptChanges,
  packagesResult,
  sayGroundChange,
  type GroundChange,
  type RoomOutcome,
  type WithoutWork,
} from '#law/proof/ground.ts';
import type { Ground } from '#law/record/definition.ts';
import type { CheckProof, GateResult } from '#law/record/verdict.ts';
import { sayCheck } from '#law/words/phrases.ts';
import { sayOutcome } from '#law/words/check-outcomes.ts';
import { failingLines } from '#telling/failing.ts';
import { treeStore } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { ownFiles } from '#evidence/views/names.ts';
import { groundChanges, touchedSince } from './compare.ts';
import { readGround, type KeptGround } from './keep.ts';
import { listGround, type GroundFile } from './list.ts';
import { addedTests, hasOtherTests } from './new-tests.ts';
import { listOutside, outsideChanges } from './outside.ts';
import { packageChanges, type PackageChanges, type Packages } from './dependencies/packages.ts';
import { failedIn, withRooms, type RoomBench, type RunInRoom } from './run-in-room.ts';

export interface GroundLook extends RoomBench {
  /** How long the checks took, which passed at this stop: a room takes about as long. */
  readonly tookMs: number;
  /** When they began, by the clock of the files. */
  readonly began: number;
  /** Until the host ends this process. */
  readonly leftMs: () => number;
}

const START = 'with the tests of the start';
const NOW = 'with the tests of now';
const WITHOUT_WORK = 'with the code of the start and the tests of now';
const NEW_ALONE = 'with the new tests alone';

/** What making a room takes, at most: an export of some 20,000 files. */
const ROOM_MS = 15_000;

/** Null: nothing has changed, or the loop has no ground that can be compared. */
export async function lookAtGround(look: GroundLook): Promise<GateResult | null> {
  const { ground } = look.open.loop();
  if (ground === null || ground.digest === null) return null;
  const then = readGround(look.open.blobs, ground.digest);
  const now = groundNow(look.open, ground);
  if (then !== null && now.ok) return compare(look, ground, { start: then, now: now.files });
  const why = now.ok ? 'what they were can no longer be read' : `the ground ${now.why}`;
  const changes: GroundChange[] = [{ path: 'unknown', how: 'changed' }];
  const asked = { ...askedOf(look, ground), dependencies: [], hasFirstTests: false, wasTold: false };
  return groundResult({ ...asked, changes, room: { is: 'unmade', why }, without: null });
}

interface BothGrounds {
  readonly start: KeptGround;
  readonly now: readonly GroundFile[];
}

async function compare(
  look: GroundLook,
  ground: Ground,
  { start: then, now }: BothGrounds,
): Promise<GateResult | null> {
  const asked = askedOf(look, ground);
  const { project, last } = look.open.loop();
  const wasTold = toldAt(last?.gateResults ?? []);
  const packages = packagesOf(packageChanges(then.packages, project), ground);
  if (packages.doubtful.length > 0) {
    const how = packages.isAsked ? 'asked' : 'unasked';
    return packagesResult(packages.doubtful, how, wasTold(packages.doubtful));
  }
  const outside = changesOutside(then, now, project);
  if (outside.length > 0 && !asked.mayChange) return packagesResult(outside, 'outside', wasTold(outside));
  const changed = groundChanges(then.files, now);
  const isNew = ({ path }: GroundChange) => !changed.some((one) => one.path === path);
  const touched = touchedSince(look.began, project, now).filter(isNew);
  const changes = [...changed, ...touched, ...packages.unused];
  const dependencies = [...packages.dependencies, ...outside];
  // A script that the check runs was there, and judged: tests of the loop's own take no place of it.
  const isNamed = globs(ground.named);
  const hasOtherJudge = changed.some(({ path, how }) => how !== 'added' && isNamed(path));
  const hasFirstTests = ground.tests === 0 && !hasOtherJudge && now.some(({ kind }) => kind === 'test');
  const seen = { ...asked, hasFirstTests, changes, dependencies, wasTold: wasTold(changes) };
  if (changes.length === 0) {
    const isNews = dependencies.length > 0 || (asked.redFirst && !asked.wasRed);
    return isNews ? groundResult({ ...seen, room: null, without: null }) : null;
  }
  return withRooms(look, async (run) => {
    const files = { start: then.files, now, isFixed: touched.length > 0 };
    const room = await runOldGround(look, run, files);
    const isHeld = room.is === 'green' || (room.is === 'red' && (asked.mayChange || hasFirstTests));
    const without = isHeld ? await runWithoutWork(look, run, files) : null;
    const meddled = meddledWith(then.packages, look.open, packages);
    if (meddled.length > 0) return packagesResult(meddled, 'in the room', false);
    return groundResult({ ...seen, room, without });
  });
}

function askedOf({ checks }: GroundLook, { mayChange, redFirst }: Ground) {
  return {
    mayChange: mayChange === true,
    redFirst: redFirst === true,
    wasRed: checks.some(({ begun }) => begun === 'failed'),
  };
}

function changesOutside(then: KeptGround, now: readonly GroundFile[], project: string): GroundChange[] {
  if (then.outside === undefined) return [];
  const programs = Object.keys(then.outside.programs);
  return outsideChanges(then.outside, listOutside(project, now, process.env, programs), process.env);
}

interface SeenPackages {
  /** Changed, and nobody knows whether that is right. */
  readonly doubtful: readonly GroundChange[];
  /** Changed as the project asks for it, or as the start allows. */
  readonly dependencies: readonly GroundChange[];
  /** Changed, but a room makes its own: the checks have to pass there. */
  readonly unused: readonly GroundChange[];
  readonly isAsked: boolean;
}

function packagesOf(
  { changed, added, manifests }: PackageChanges,
  { setup, mayChange }: Ground,
): SeenPackages {
  const isAsked = manifests.length > 0;
  const all = [...changed, ...added];
  const none = { doubtful: [], dependencies: [], unused: [], isAsked };
  if (setup !== undefined) return { ...none, dependencies: manifests, unused: all };
  if (mayChange) return { ...none, dependencies: all };
  return isAsked ? { ...none, doubtful: changed, dependencies: added } : { ...none, doubtful: all };
}

/**
 * What the checks changed in the rooms. They are linked there, and no file system keeps all of that
 * read-only.
 */
function meddledWith(then: Packages, { loop }: OpenLoop, before: SeenPackages): GroundChange[] {
  const { project, ground } = loop();
  if (ground?.setup !== undefined) return [];
  const { changed, added } = packageChanges(then, project);
  const known = new Set(before.dependencies.map(sayGroundChange));
  return [...changed, ...added].filter((change) => !known.has(sayGroundChange(change)));
}

/** With `--clean`, every judged check runs in a room, with the ground of now. */
export async function proveInRoom(order: RoomBench): Promise<CheckProof[]> {
  const { open, checks } = order;
  const { ground } = open.loop();
  const now = ground === null ? null : groundNow(open, ground);
  const proven = now?.ok
    ? await withRooms(order, (run) => run({ says: NOW, ground: now.files, all: now.files }))
    : 'its ground can not be listed';
  if (typeof proven !== 'string') return proven;
  const outcome = { is: 'unstartable', error: `no clean room: ${proven}`, tail: '' } as const;
  return checks.map(({ name, command }) => ({ name, command, outcome, ms: 0, evidence: null }));
}

function groundNow(open: OpenLoop, { named }: Ground) {
  const loop = open.loop();
  return listGround(loop.project, named, globs(ownFiles(loop).ignored));
}

/** Whether the agent was told of these very changes at the stop before. */
function toldAt(gateResults: readonly GateResult[]): (changes: readonly GroundChange[]) => boolean {
  const told = gateResults.find(({ gate, holds }) => gate === 'ground' && !holds)?.ground?.files ?? [];
  return (changes) => keptChanges(changes).every((change) => told.includes(change));
}

interface GroundFiles {
  readonly start: readonly GroundFile[];
  readonly now: readonly GroundFile[];
  /** Something wrote to it while the checks ran here, so nothing may do so in the room. */
  readonly isFixed: boolean;
}

async function runOldGround(
  look: GroundLook,
  run: RunInRoom,
  { start: then, now, isFixed }: GroundFiles,
): Promise<RoomOutcome> {
  if (look.checks.length === 0) return { is: 'untested' };
  if (isTooShort(look)) return tooLate(look);
  const all = [...then, ...now];
  const old = await run({ says: START, ground: then, all, fixed: isFixed ? 'ground' : 'tests' });
  if (typeof old === 'string') return { is: 'unmade', why: old };
  const failed = failedIn(old);
  if (failed === null) return { is: 'green' };
  if (failed.outcome.is === 'timed-out' && look.leftMs() < Infinity) return tooLate(look);
  const same = await run({ says: NOW, ground: now, all });
  const isUnlike = typeof same === 'string' || failedIn(same) !== null;
  return { is: isUnlike ? 'unlike' : 'red', ...told(failed) };
}

function isTooShort({ leftMs, tookMs }: GroundLook): boolean {
  return leftMs() < tookMs + ROOM_MS;
}

/** A second look has all the time that there is. If that is not enough, no later one will do. */
function tooLate({ open }: GroundLook): RoomOutcome {
  const isSecond = open.loop().session.awaits !== null;
  return isSecond ? { is: 'unmade', why: 'it takes longer than a stop of this host may' } : { is: 'late' };
}

/**
 * Where all checks were green at the start, those of now run on the code of the start. Where one was red, it
 * would be red there in any case, so new tests run alone; if they fail, they have to pass alone on the work.
 * Null: no tests are new.
 */
async function runWithoutWork(
  look: GroundLook,
  run: RunInRoom,
  { start: then, now }: GroundFiles,
): Promise<WithoutWork | null> {
  const wasRed = look.checks.some(({ begun }) => begun === 'failed');
  const alone = wasRed ? (addedTests(then, now)?.alone ?? null) : null;
  if (wasRed ? alone === null : !hasOtherTests(then, now)) return null;
  const { begunTree, ground, session } = look.open.loop();
  if (begunTree === null) return 'unknown';
  if (isTooShort(look)) return ground?.redFirst && session.awaits === null ? 'late' : 'unknown';
  const code = { is: 'tree', tree: begunTree, store: treeStore(look.open) } as const;
  const content = { ground: alone ?? now, all: [...then, ...now] };
  const proven = await run({ ...content, says: WITHOUT_WORK, code });
  if (typeof proven === 'string' || proven.some(({ outcome }) => outcome.is === 'unstartable'))
    return 'unknown';
  if (failedIn(proven) === null) return 'green';
  if (alone === null) return 'red';
  const onWork = await run({ ...content, says: NEW_ALONE });
  return typeof onWork === 'string' || failedIn(onWork) !== null ? 'unknown' : 'red';
}

const MAX_LINES_TOLD = 5;

function told(proof: CheckProof): { readonly fails: string; readonly output: string } {
  const tail = 'tail' in proof.outcome ? proof.outcome.tail : '';
  const output = failingLines(tail, MAX_LINES_TOLD).join('\n');
  return { fails: `${sayCheck(proof)} ${sayOutcome(proof.outcome)}`, output };
}
