/**
 * Publishes the work of a pass before its verdict is recorded: losing the files of a counted iteration would
 * be worse than repeating one. The worker asks the record before each try, and again after it has read the
 * branch and before it pushes. So a worker that is cut off, or whose loop was cancelled, pushes nothing, even
 * if it has not heard of that.
 */
import type { PushPermit, BranchPush } from '../../pushed.ts';
import type { Published } from '../../ship.ts';
import { LIVE_STATUSES } from '../../record.ts';
import type { Settle } from '../protocol.ts';
import type { GitOrder, GitResult, LoopState, Publishing, LeaseStep } from './state.ts';
import { askRecord, lose, stepToRelease, stay } from './transitions.ts';

/** A push that fails is tried again for about a minute. Then the pass is given up. */
const MAX_PUSH_FAILURES = 6;
const RETRY_PUSH_MS = 500;

export const UNPUBLISHED: Published = { head: null, point: null, point_ref: null };

export type PublishingState = LoopState & { readonly phase: Publishing };

export function beginPublishing(state: LoopState, settle: Settle & { readonly point: string }): LeaseStep {
  return tryToPublish(state, { is: 'publishing', settle, failures: 0, pushed: UNPUBLISHED });
}

/** Neither a zombie nor the worker of a cancelled loop may push. */
export function tryToPublish(state: LoopState, { settle, failures }: Publishing): LeaseStep {
  const phase: Publishing = { is: 'publishing', settle, failures, pushed: UNPUBLISHED };
  return askRecord({ ...state, phase }, { is: 'holds-lease' });
}

export function onLeaseChecked(state: PublishingState, isHeld: boolean): LeaseStep {
  if (!isHeld) return lose(state);
  return orderGit(state, { is: 'push-point', point: state.phase.settle.point });
}

export function onGitResult(state: PublishingState, result: GitResult): LeaseStep {
  const { phase, work } = state;
  switch (result.is) {
    case 'git-failed':
      return onPushFailure(state, result.why);
    case 'point-pushed': {
      const { point, point_ref, head } = result;
      const pushed = { head, point, point_ref };
      const isSame = head === (work.head ?? work.base);
      if (work.branch === null || head === null || isSame)
        return recordPass(state, { ...pushed, head: null });
      return orderGit({ ...state, phase: { ...phase, pushed } }, { is: 'read-branch' });
    }
    case 'branch-read': {
      const push = { from: result.from, to: phase.pushed.head ?? '' };
      return askRecord(state, { is: 'permit-push', push, known: [work.base, work.head, push.to] });
    }
    case 'branch-pushed':
      return recordPass(state, { ...phase.pushed, head: result.head });
  }
}

export function onPermit(state: PublishingState, permit: PushPermit, push: BranchPush): LeaseStep {
  switch (permit) {
    case 'ours':
      return orderGit(state, { is: 'push-branch', ...push });
    case 'lost':
      return lose(state);
    case 'foreign':
      return onPushFailure(state, `Someone else has pushed to ${state.work.branch} of ${state.work.repo}.`);
  }
}

function onPushFailure(state: PublishingState, why: string): LeaseStep {
  const failures = state.phase.failures + 1;
  if (failures > MAX_PUSH_FAILURES) return stepToRelease(state, { until: 'later', why });
  const n = state.n + 1;
  const waiting: LoopState = { ...state, n, phase: { ...state.phase, failures } };
  return stay(waiting, { is: 'wait', n, ms: RETRY_PUSH_MS * 2 ** state.phase.failures });
}

function orderGit(state: LoopState, order: GitOrder): LeaseStep {
  const n = state.n + 1;
  return stay({ ...state, n }, { is: 'git', n, order, work: state.work });
}

function recordPass(state: PublishingState, published: Published): LeaseStep {
  return beginRecording(state, state.phase.settle, published);
}

/** The verdict, the point and the files of a pass become true together. */
export function beginRecording(state: LoopState, { shipment }: Settle, published: Published): LeaseStep {
  const { work, usedBefore } = state;
  const { status, report } = shipment.summary;
  const { cost_usd, tokens } = report;
  const used = { costUsd: cost_usd - usedBefore.costUsd, tokens: tokens - usedBefore.tokens };
  const recording: LoopState = {
    ...state,
    work: {
      ...work,
      head: published.head ?? work.head,
      point_ref: published.point_ref ?? work.point_ref,
    },
    phase: { is: 'recording', releaseAs: null, isLive: LIVE_STATUSES.has(status) },
  };
  return askRecord(recording, { is: 'record-pass', shipment, published, used });
}
