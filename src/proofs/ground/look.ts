/**
 * Looks at the ground when the gates would hold. If it has changed, the checks run once more in a clean room, with the ground
 * of the start. If they fail there, a second room with the ground of now tells whether the ground makes the difference or
 * the room. Where no check was red at the start, the tests of now also run on the code of the start.
 */
import { globs } from '../../core/globs.ts';
import {
  groundSight,
  packagesSight,
  redFirstSight,
  sayGroundChange,
  type GroundChange,
  type RoomOutcome,
} from '../../core/ground.ts';
import type { CheckGate } from '../../core/gates.ts';
import type { Ground } from '../../core/record/definition.ts';
import type { CheckProof, GateResult } from '../../core/record/verdict.ts';
import { sayCheck } from '../../core/words/phrases.ts';
import { sayOutcome } from '../../core/words/seldom.ts';
import type { ExportSource } from '../../git/worktree/export.ts';
import { treeStore } from '../../store/evidence.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { ownFiles } from '../../views/names.ts';
import { proveChecks, type CheckBench } from '../checks.ts';
import { groundChanges } from './compare.ts';
import { readGround } from './keep.ts';
import { listGround, type GroundFile } from './list.ts';
import { listPackages, packageChanges } from './packages.ts';
import { withCleanRoom } from './room.ts';

interface RoomBench {
  readonly open: OpenLoop;
  readonly runtime: Runtime;
  readonly checks: readonly CheckGate[];
  readonly bench: CheckBench;
}

export interface GroundLook extends RoomBench {
  /** How long the checks took, which passed at this stop: a room takes about as long. */
  readonly tookMs: number;
  /** Until the host ends this process. */
  readonly leftMs: number;
}

/** What making a room takes, at most: an export of some 20,000 files. */
const ROOM_MS = 15_000;

/** Null: nothing has changed, or the loop has no ground that can be compared. */
export async function lookAtGround(look: GroundLook): Promise<GateResult | null> {
  const { open, checks } = look;
  const { ground, project, last } = open.loop();
  if (ground === null || ground.digest === null) return null;
  const then = readGround(open.blobs, ground.digest);
  const now = groundNow(open, ground);
  const hasTests = now.ok && now.files.some(({ kind }) => kind === 'test');
  const asked = {
    hasFirstTests: ground.tests === 0 && hasTests,
    mayChange: ground.mayChange === true,
    redFirst: ground.redFirst === true,
    without: null,
    wasTold: false,
  };
  if (then === null || !now.ok) {
    const why = now.ok ? 'what they were can no longer be read' : `the ground ${now.why}`;
    const changes: GroundChange[] = [{ path: 'unknown', how: 'changed' }];
    return groundSight({ ...asked, changes, room: { is: 'unmade', why } });
  }
  const packages = ground.setup === undefined ? packageChanges(then.packages, listPackages(project)) : [];
  const before = last?.sights ?? [];
  if (packages.length > 0) return packagesSight(packages, wasTold(before, packages));
  const changes = groundChanges(then.files, now.files);
  const isRed = checks.some(({ begun }) => begun === 'failed');
  if (changes.length === 0) return asked.redFirst && !isRed ? redFirstSight() : null;
  const room = await runInRoom(look, then.files, now.files);
  const added = changes.filter(({ how }) => how !== 'deleted').map(({ path }) => path);
  const hasNewTests = now.files.some(({ path, kind }) => kind === 'test' && added.includes(path));
  const without = !isRed && hasNewTests && room.is === 'green' ? await runWithoutWork(look, now.files) : null;
  return groundSight({ ...asked, changes, room, without, wasTold: wasTold(before, changes) });
}

/** With `--clean`, every judged check runs in a room, with the ground of now. */
export async function proveInRoom(order: RoomBench): Promise<CheckProof[]> {
  const { open, checks } = order;
  const { ground } = open.loop();
  const now = ground === null ? null : groundNow(open, ground);
  const proven = now?.ok ? await runWith(order, now.files, now.files) : 'its ground can not be listed';
  if (typeof proven !== 'string') return proven;
  const outcome = { is: 'unstartable', error: `no clean room: ${proven}`, tail: '' } as const;
  return checks.map(({ name, command }) => ({ name, command, outcome, ms: 0, evidence: null }));
}

function groundNow(open: OpenLoop, { named }: Ground) {
  const loop = open.loop();
  return listGround(loop.project, named, globs(ownFiles(loop).ignored));
}

/** The agent was told of these very changes at the stop before. */
function wasTold(sights: readonly GateResult[], changes: readonly GroundChange[]): boolean {
  const told = sights.find(({ gate, holds }) => gate === 'ground' && !holds)?.ground?.files ?? [];
  return changes.every((change) => told.includes(sayGroundChange(change)));
}

async function runInRoom(
  look: GroundLook,
  then: readonly GroundFile[],
  now: readonly GroundFile[],
): Promise<RoomOutcome> {
  const { checks, tookMs, leftMs } = look;
  if (checks.length === 0) return { is: 'untested' };
  if (leftMs < tookMs + ROOM_MS) return tooLate(look);
  const all = [...then, ...now];
  const old = await runWith(look, then, all);
  if (typeof old === 'string') return { is: 'unmade', why: old };
  const failed = failedIn(old);
  if (failed === null) return { is: 'green' };
  if (failed.outcome.is === 'timed-out' && leftMs < Infinity) return tooLate(look);
  const same = await runWith(look, now, all);
  const isUnlike = typeof same === 'string' || failedIn(same) !== null;
  return { is: isUnlike ? 'unlike' : 'red', ...told(failed) };
}

/** A second look has all the time that there is. If that is not enough, no later one will do. */
function tooLate({ open }: GroundLook): RoomOutcome {
  const isSecond = open.loop().session.awaits !== null;
  return isSecond ? { is: 'unmade', why: 'it takes longer than a stop of this host may' } : { is: 'late' };
}

/** The tests of now on the code of the start. Null: that code can't be had. */
async function runWithoutWork(look: GroundLook, now: readonly GroundFile[]): Promise<'red' | 'green' | null> {
  const { begunTree } = look.open.loop();
  if (begunTree === null) return null;
  const code = { is: 'tree', tree: begunTree, store: treeStore(look.open) } as const;
  const proven = await runWith(look, now, now, code);
  if (typeof proven === 'string' || proven.some(({ outcome }) => outcome.is === 'unstartable')) return null;
  return failedIn(proven) === null ? 'green' : 'red';
}

/** A text says why there is no room. */
function runWith(
  { open, runtime, checks, bench }: RoomBench,
  ground: readonly GroundFile[],
  all: readonly GroundFile[],
  code: ExportSource = { is: 'work-tree' },
): Promise<CheckProof[] | string> {
  const { project, ground: asked } = open.loop();
  const order = {
    project,
    at: { home: runtime.store.place(), isAlive: runtime.isAlive },
    code,
    ground,
    replaced: new Set(all.map(({ path }) => path)),
    setup:
      asked?.setup === undefined
        ? null
        : { command: asked.setup, folder: open.folder('setup'), runner: bench.runner },
    env: process.env,
    signal: bench.signal,
  };
  return withCleanRoom(order, (room) => proveChecks(checks, { ...bench, cwd: room.cwd, room }));
}

function failedIn(proofs: readonly CheckProof[]): CheckProof | null {
  return proofs.find(({ outcome }) => outcome.is !== 'passed') ?? null;
}

function told(proof: CheckProof): { readonly fails: string; readonly output: string } {
  const output = 'tail' in proof.outcome ? proof.outcome.tail : '';
  return { fails: `${sayCheck(proof)} ${sayOutcome(proof.outcome)}`, output };
}
