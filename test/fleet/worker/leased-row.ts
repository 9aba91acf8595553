/** The row of a loop as a worker leases it. */
import type { LeasedRow } from '#fleet/lease.ts';
import { askedOf } from '../asked.ts';

const REQUEST = askedOf('Work.');

export function leasedRow(given: Partial<LeasedRow> = {}): LeasedRow {
  return {
    id: 'RALPH_1',
    epoch: 1,
    key: 'key',
    events: 0,
    account: 'default',
    repo: 'https://example.org/project.git',
    ref: 'main',
    points: null,
    branch: null,
    setup: null,
    base: null,
    head: null,
    point: null,
    point_ref: null,
    waits_for: null,
    trouble: null,
    takes: [],
    request: REQUEST,
    ...given,
  };
}
