/**
 * What an engine that started a worker for one loop has to know at its end: whether to run it again, when,
 * and whether somewhere else. The record decides, not what this worker believes.
 */
import { errorMessage } from '#base/shape.ts';
import type { Address } from '../database/address.ts';
import { explainDatabaseError, type Sql } from '../database/database.ts';
import { readFleetLoop, type FleetLoop } from '../record.ts';
import type { LeaseEnd } from './leased-loop/state.ts';

export type ShiftEnd =
  /** The loop has ended, or only a person can let it go on. */
  | { readonly is: 'ended'; readonly loop: string; readonly status: string }
  /** It goes on at this instant, on any worker. */
  | { readonly is: 'again'; readonly loop: string | null; readonly when: string }
  /** Another worker has it, or this one may not take it. Without a loop: there was nothing to take. */
  | { readonly is: 'not-ours'; readonly loop: string | null }
  /** It could not be worked on here. Another machine may be able to. */
  | { readonly is: 'trouble'; readonly loop: string | null; readonly why: string };

/** The loop that the worker was for, and how it left this worker. Null: it was not here. */
export interface LastLoop {
  readonly loop: string | null;
  readonly how: LeaseEnd | null;
}

export async function readShiftEnd(
  sql: Sql,
  address: Address,
  last: LastLoop,
  now: string,
): Promise<ShiftEnd> {
  const { loop, how } = last;
  if (loop === null) return { is: 'not-ours', loop };
  try {
    const row = await readFleetLoop(sql, loop);
    return row === undefined ? { is: 'not-ours', loop } : shiftEndOf(row, how, now);
  } catch (error) {
    const why = explainDatabaseError(error, address)?.message ?? errorMessage(error);
    return shiftEndWithoutRecord(loop, how, why, now);
  }
}

export function shiftEndOf(row: FleetLoop, how: LeaseEnd | null, now: string): ShiftEnd {
  const { id: loop, status, worker, waits } = row;
  if (worker !== null) return { is: 'not-ours', loop };
  if (waits === null) return { is: 'ended', loop, status };
  const trouble = troubleOf(how);
  if (trouble !== null) return { is: 'trouble', loop, why: trouble };
  // It is due, and this worker did not get it: it lacks what the loop needs.
  if (how === null && waits.for === 'worker') return { is: 'not-ours', loop };
  return { is: 'again', loop, when: waits.until ?? now };
}

/** The database is away, so what this worker did last has to do. */
export function shiftEndWithoutRecord(
  loop: string,
  how: LeaseEnd | null,
  why: string,
  now: string,
): ShiftEnd {
  if (how === null) return { is: 'trouble', loop, why };
  if (how.is === 'lost') return { is: 'not-ours', loop };
  const trouble = troubleOf(how);
  if (trouble !== null) return { is: 'trouble', loop, why: trouble };
  if (how.until === null) return { is: 'ended', loop, status: 'unknown' };
  return { is: 'again', loop, when: how.until === 'now' ? now : how.until };
}

function troubleOf(how: LeaseEnd | null): string | null {
  return how?.is === 'let-go' && 'why' in how ? how.why : null;
}
