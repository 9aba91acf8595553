/** Runs the checks of a loop in a clean room. */
import type { CheckGate } from '#law/gates.ts';
import type { CheckProof } from '#law/record/verdict.ts';
import { withExportFolder } from '#base/files/exports.ts';
import type { ExportSource } from '#evidence/git/worktree/export.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { proveChecks, type CheckRun } from '../checks.ts';
import { touchedSince } from './compare.ts';
import type { GroundFile } from './list.ts';
import { makeRoom } from './room.ts';

export interface RoomBench {
  readonly open: OpenLoop;
  readonly runtime: Runtime;
  readonly checks: readonly CheckGate[];
  /** `holds`: what the room holds, in words, since a look may run the same checks in several. */
  readonly checkRun: (holds: string) => CheckRun;
}

/** What a room holds. */
export interface RoomContent {
  /** To follow "in a clean copy": `with the tests of the start`. */
  readonly says: string;
  readonly ground: readonly GroundFile[];
  /** The ground of all that is compared. Of these files the room has only those of `ground`. */
  readonly all: readonly GroundFile[];
  /** Absent: the work. */
  readonly code?: ExportSource;
  /** A check that writes to one of these files there counts for nothing. */
  readonly fixed?: 'ground' | 'tests';
}

/** A runner writes snapshots itself, where they are missing. */
function isOnlyRead({ path, kind }: GroundFile): boolean {
  return kind === 'test' && !/(?:^|\/)(?:__snapshots__|snapshots)\/|\.(?:snap|ambr)$/.test(path);
}

export type RunInRoom = (content: RoomContent) => Promise<CheckProof[] | string>;

/** A text says why there is no room. The rooms go away at the end. */
export function withRooms<T>(order: RoomBench, use: (run: RunInRoom) => Promise<T>): Promise<T> {
  const { open, runtime, checks, checkRun } = order;
  const { project, ground } = open.loop();
  const setup =
    ground?.setup === undefined
      ? null
      : { command: ground.setup, folder: open.folder('setup'), runner: runtime.runner };
  const at = { home: runtime.store.place(), isAlive: runtime.isAlive };
  const common = { project, setup, env: process.env };
  return withExportFolder(at, (folder) =>
    use(async ({ says, ground: laid, all, code = { is: 'work-tree' }, fixed }) => {
      const run = checkRun(says);
      const order = { ...common, folder, code, ground: laid, replaced: all, signal: run.signal };
      const room = await makeRoom(order);
      if (typeof room === 'string') return room;
      const began = Date.now();
      const proven = await proveChecks(checks, { ...run, cwd: room.cwd, room });
      const watched = fixed === undefined ? [] : fixed === 'ground' ? laid : laid.filter(isOnlyRead);
      const [touched] = touchedSince(began, room.cwd, watched);
      return touched === undefined ? proven : `a check wrote to ${touched.path} while it ran`;
    }),
  );
}

export function failedIn(proofs: readonly CheckProof[]): CheckProof | null {
  return proofs.find(({ outcome }) => outcome.is !== 'passed') ?? null;
}
