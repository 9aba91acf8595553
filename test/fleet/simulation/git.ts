/**
 * A repository that workers push to, as values: commits, points and branches. A push takes a while, and whoever
 * is killed or told to stop meanwhile does not know whether it went through.
 */
import { createHash } from 'node:crypto';
import type { GitJob } from '#fleet/worker/leased-loop/surroundings.ts';
import type { GitResult } from '#fleet/worker/leased-loop/state.ts';
import type { Scheduler, SimProcess } from './time.ts';

/** The work in a tree: one word for each pass that is in it. */
export type Work = readonly string[];

export interface Commit {
  readonly sha: string;
  readonly work: Work;
}

export interface Point extends Commit {
  /** The commit of the branch. */
  readonly head: string;
}

export const BASE: Commit = { sha: shaOf('base'), work: [] };

export function shaOf(...words: readonly string[]): string {
  return createHash('sha1').update(words.join('\n')).digest('hex');
}

export class SimRepository {
  readonly points = new Map<string, Point>();
  readonly branches = new Map<string, string>();
  readonly commits = new Map<string, Commit>([[BASE.sha, BASE]]);
  /** Commits of people, which nobody may replace. */
  readonly foreign = new Map<string, { readonly sha: string; readonly before: string }>();
  isAway = false;
  failures = 0;
  /** Called when a worker begins to look at a branch, and when it begins and ends a push to it. */
  onLook: (loop: string, epoch: number) => void = () => undefined;
  onPush: (loop: string, epoch: number) => void = () => undefined;
  onPoint: (loop: string, epoch: number) => void = () => undefined;
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  async run(
    process: SimProcess,
    { loop, order, signal }: GitJob,
    local: ReadonlyMap<string, Point>,
  ): Promise<GitResult> {
    const { random } = this.#scheduler;
    const { id, epoch } = loop;
    if (order.is === 'push-point') this.onPoint(id, epoch);
    if (order.is === 'read-branch') this.onLook(id, epoch);
    if (order.is === 'push-branch') this.onPush(id, epoch);
    const failed: GitResult = { is: 'git-failed', why: 'the repository can not be reached' };
    const isFailing = random.chance(this.failures);
    const result = await new Promise<GitResult>((resolve) => {
      // What was sent arrives, whatever becomes of the sender, unless git was ended before.
      this.#scheduler.after(10 + random.next() * (random.chance(0.1) ? 3_000 : 200), () => {
        if (signal.aborted || process.isDead) return resolve(failed);
        if (this.isAway || isFailing) return resolve(failed);
        resolve(this.#apply(order, loop, local));
      });
    });
    await process.sleep(5 + random.next() * 50);
    return random.chance(this.failures) ? failed : result;
  }

  #apply(
    order: GitJob['order'],
    { id, epoch, branch }: GitJob['loop'],
    local: ReadonlyMap<string, Point>,
  ): GitResult {
    switch (order.is) {
      case 'push-point': {
        const point = local.get(order.point);
        if (point === undefined) return { is: 'git-failed', why: `there is no point ${order.point}` };
        const point_ref = `refs/dacapo/${id}/${epoch}/${order.point}`;
        this.points.set(point_ref, point);
        return { is: 'point-pushed', point: point.sha, point_ref, head: point.head };
      }
      case 'read-branch':
        return { is: 'branch-read', from: this.branches.get(branch ?? '') ?? null };
      case 'push-branch': {
        if ((this.branches.get(branch ?? '') ?? null) !== order.from)
          return { is: 'git-failed', why: 'the branch has moved' };
        this.branches.set(branch ?? '', order.to);
        return { is: 'branch-pushed', head: order.to };
      }
    }
  }
}
