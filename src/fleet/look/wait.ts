/** Waits until loops have ended, however often the database goes away meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '../database/address.ts';
import { explainDatabaseError, type Sql } from '../database/database.ts';
import { readFleetLoop, type FleetLoop } from '../record.ts';

const ENDING_POLL_MS = 1_000;
/** So long a database that was never reached may be away: it may be restarting, or the URL is wrong. */
const FIRST_ANSWER_MS = 12_000;

interface Waiter {
  /** Each change of a loop that somebody may want to see. */
  readonly onChange: (loop: FleetLoop) => void;
  readonly onAway: (why: string) => void;
  readonly stop: AbortSignal;
}

/** What `ask` gives, however often it has to be asked until the database is there. Throws what it throws. */
export async function askAtStart<T>(address: Address, onAway: Waiter['onAway'], ask: () => Promise<T>) {
  const began = performance.now();
  for (let isAway = false; ; isAway = true) {
    try {
      return await ask();
    } catch (error) {
      const refusal = explainDatabaseError(error, address);
      if (refusal?.later !== true || performance.now() - began > FIRST_ANSWER_MS) throw error;
      if (!isAway) onAway(refusal.message);
      await sleep(ENDING_POLL_MS);
    }
  }
}

/** The loop at its end; null: the waiter left, or the loop was removed. Throws `UnfitRecord`. */
export async function waitForLoop(
  sql: Sql,
  address: Address,
  id: string,
  waiter: Waiter,
): Promise<FleetLoop | null> {
  let [shown, isAway] = ['', false];
  for (
    ;
    !waiter.stop.aborted;
    await sleep(ENDING_POLL_MS, undefined, { signal: waiter.stop }).catch(() => undefined)
  ) {
    try {
      const loop = await readFleetLoop(sql, id);
      if (loop === undefined) return null;
      const mark = JSON.stringify([loop.status, loop.iteration, loop.worker, loop.reason]);
      if (mark !== shown) waiter.onChange(loop);
      [shown, isAway] = [mark, false];
      if (isOver(loop)) return loop;
    } catch (error) {
      const refusal = explainDatabaseError(error, address);
      if (refusal?.later !== true) throw error;
      if (!isAway) waiter.onAway(refusal.message);
      isAway = true;
    }
  }
  return null;
}

/**
 * Nobody will go on with it. One that was paused goes on when the same person says so, and one that asks
 * something when it is answered.
 */
function isOver({ status, worker, waits, requests }: FleetLoop): boolean {
  return worker === null && waits === null && requests.length === 0 && status !== 'paused';
}
