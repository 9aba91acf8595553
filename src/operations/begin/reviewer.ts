/** What can refuse the reviewer of a loop before anything is created or paid for. */
import type { ReviewGate } from '../../core/gates.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';
import { nearest } from '../../flags/did-you-mean.ts';
import type { Environment } from '../../hosts/arrival.ts';
import { HOST_NAMES } from '../../hosts/names.ts';
import { findProgram } from '../../hosts/program.ts';

type Asked = Pick<StartRequest, 'require' | 'maxReviews'>;

export function refuseReviewer(asked: Asked, review: ReviewGate | null, env: Environment): Refusal | null {
  const bad = (why: string, next: string) => refuse('bad-review', why, next);
  if (review === null)
    return asked.maxReviews === null
      ? null
      : bad('--max-reviews is given without a review.', 'Give it: --review HOST.');
  if (asked.require === 'any')
    return bad(
      'A review comes when all else holds, so --require any contradicts it.',
      'Leave one of the two out.',
    );
  const names = HOST_NAMES.map(({ name }) => name);
  const host = HOST_NAMES.find(({ name }) => name === review.host);
  const found = host === undefined ? null : findProgram(host, env);
  if (found?.ok) return null;
  if (found !== null) return bad(`Nobody could review the work: ${found.message}`, found.next);
  const near = nearest(review.host, names);
  const meant = near === null ? '' : `; the nearest one is ${near}`;
  const next = `Give one of: ${names.join(', ')}.`;
  return bad(`--review takes the name of a host, not ${JSON.stringify(review.host)}${meant}.`, next);
}
