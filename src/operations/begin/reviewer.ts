/** The reviewer of a loop, and what can refuse it before anything is created or paid for. */
import type { ReviewGate } from '../../core/gates.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { nearest } from '../../flags/did-you-mean.ts';
import type { Environment } from '../../hosts/arrival.ts';
import { HOST_NAMES } from '../../hosts/names.ts';
import { findProgram } from '../../hosts/program.ts';
import type { Configured } from '../../proofs/stop-hooks/configure.ts';

/** Whoever has not done it after three reviews needs a person. */
const MOST = 3;

/** What the person typed wins over the config. */
export function reviewGate(request: StartRequest, configured: Configured | null): ReviewGate | null {
  const review = request.review ?? configured?.found.review ?? null;
  const most = request.maxReviews ?? configured?.found.maxReviews ?? MOST;
  return review && { kind: 'review', ...review, most };
}

export function refuseReviewer(
  { require, maxReviews }: StartRequest,
  review: ReviewGate | null,
  env: Environment,
): Refusal | null {
  if (review === null)
    return maxReviews === null
      ? null
      : refuse('bad-review', '--max-reviews is given without a review.', 'Give it: --review HOST.');
  if (require === 'any')
    return refuse(
      'bad-review',
      'A review comes when all else holds, and with --require any one gate is enough.',
      'Leave one of the two out.',
    );
  const names = HOST_NAMES.map(({ name }) => name);
  const host = HOST_NAMES.find(({ name }) => name === review.host);
  if (host === undefined) {
    const near = nearest(review.host, names);
    return refuse(
      'unknown-host',
      `--review takes the name of a host, not ${JSON.stringify(review.host)}${near === null ? '' : `; the nearest one is ${near}`}.`,
      `Give one of: ${names.join(', ')}.`,
    );
  }
  const found = findProgram(host, env);
  return found.ok
    ? null
    : refuse('no-reviewer', `Nobody could review the work: ${found.message}`, found.next);
}
