/** Checks the reviewer of a loop before anything is created or paid for. */
import { refuse, type Refusal } from '../../core/refusal.ts';
import { nearest } from '../../flags/did-you-mean.ts';
import type { StartOptions } from '../../flags/options.ts';
import type { Environment } from '../../hosts/arrival.ts';
import { HOST_NAMES } from '../../hosts/names.ts';
import { findProgram } from '../../hosts/program.ts';

export function refuseReviewer(review: StartOptions['review'], env: Environment): Refusal | null {
  if (review === null) return null;
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
