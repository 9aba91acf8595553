/**
 * Looks at the ground when the gates would hold. If it has changed, the checks run once more in a clean room, with the ground
 * of the start. If they fail there, a second room with the ground of now tells whether the ground makes the difference or
 * the room.
 */
import { globs } from '../../core/globs.ts';
import { groundSight, type GroundChange, type RoomOutcome } from '../../core/ground.ts';
import type { CheckGate } from '../../core/gates.ts';
import type { CheckProof, GateResult } from '../../core/record/verdict.ts';
import { sayCheck } from '../../core/words/phrases.ts';
import { sayOutcome } from '../../core/words/seldom.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import type { Runtime } from '../../store/runtime.ts';
import { ownFiles } from '../../views/names.ts';
import { proveChecks, type CheckBench } from '../checks.ts';
import { groundChanges } from './compare.ts';
import { readGround } from './keep.ts';
import { listGround, type GroundFile } from './list.ts';
import { withCleanRoom, type CleanRoom, type RoomOrder } from './room.ts';

export interface GroundLook {
  readonly open: OpenLoop;
  readonly runtime: Runtime;
  /** The checks that passed at this stop. Only these run in the room. */
  readonly checks: readonly CheckGate[];
  /** How long they took: a room takes about as long. */
  readonly tookMs: number;
  /** Until the host ends this process. */
  readonly leftMs: number;
  readonly bench: CheckBench;
}

/** What making a room takes, at most: an export of some 20,000 files. */
const ROOM_MS = 15_000;

/** Null: nothing has changed, or the loop has no ground that can be compared. */
export async function lookAtGround(look: GroundLook): Promise<GateResult | null> {
  const { open } = look;
  const loop = open.loop();
  const { ground } = loop;
  if (ground === null || ground.digest === null) return null;
  const then = readGround(open.blobs, ground.digest);
  const now = listGround(loop.project, ground.named, globs(ownFiles(loop).ignored));
  const hasTests = now.ok && now.files.some(({ kind }) => kind === 'test');
  const asked = { hasFirstTests: ground.tests === 0 && hasTests, mayChange: ground.mayChange === true };
  if (then === null || !now.ok) {
    const why = now.ok ? 'what they were can no longer be read' : `the ground ${now.why}`;
    const changes: GroundChange[] = [{ path: 'unknown', how: 'changed' }];
    return groundSight({ ...asked, changes, room: { is: 'unmade', why } });
  }
  const changes = groundChanges(then, now.files);
  if (changes.length === 0) return null;
  return groundSight({ ...asked, changes, room: await runInRoom(look, then, now.files) });
}

async function runInRoom(
  look: GroundLook,
  then: readonly GroundFile[],
  now: readonly GroundFile[],
): Promise<RoomOutcome> {
  const { checks, tookMs, leftMs, bench } = look;
  if (checks.length === 0) return { is: 'untested' };
  if (leftMs < tookMs + ROOM_MS) return { is: 'late' };
  const began = performance.now();
  const replaced = new Set([...then, ...now].map(({ path }) => path));
  const order = { ...roomOrder(look), replaced };
  const run = (ground: readonly GroundFile[]) =>
    withCleanRoom({ ...order, ground }, (room) =>
      proveChecks(checks, {
        ...bench,
        ...placed(room),
        budgetMs: bench.budgetMs - (performance.now() - began),
      }),
    );
  const old = await run(then);
  if (typeof old === 'string') return { is: 'unmade', why: old };
  const failed = failedIn(old);
  if (failed === null) return { is: 'green' };
  if (failed.outcome.is === 'timed-out' && leftMs < Infinity) return { is: 'late' };
  const same = await run(now);
  const isUnlike = typeof same === 'string' || failedIn(same) !== null;
  return { is: isUnlike ? 'unlike' : 'red', ...told(failed) };
}

function placed(room: CleanRoom): Pick<CheckBench, 'cwd' | 'room'> {
  return { cwd: room.cwd, room };
}

function roomOrder({
  open,
  runtime,
  bench,
}: GroundLook): Pick<RoomOrder, 'project' | 'at' | 'code' | 'env' | 'signal'> {
  const { project } = open.loop();
  const at = { home: runtime.store.place(), isAlive: runtime.isAlive };
  return { project, at, code: { is: 'work-tree' }, env: process.env, signal: bench.signal };
}

function failedIn(proofs: readonly CheckProof[]): CheckProof | null {
  return proofs.find(({ outcome }) => outcome.is !== 'passed') ?? null;
}

function told(proof: CheckProof): { readonly fails: string; readonly output: string } {
  const output = 'tail' in proof.outcome ? proof.outcome.tail : '';
  return { fails: `${sayCheck(proof)} ${sayOutcome(proof.outcome)}`, output };
}
