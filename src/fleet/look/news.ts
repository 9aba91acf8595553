/**
 * What the agents of a fleet do right now, for people who look: the last lines of each loop. No loop depends
 * on them: a line that can't be written is left out. What tools printed stays on the worker.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { headOf } from '#base/words/sanitize.ts';
import type { RunEvent } from '#engine/run-event.ts';
import type { Address } from '../database/address.ts';
import { isNewsLine } from '../codec/news.ts';
import { explainDatabaseError, type Sql } from '../database/database.ts';
import type { LeasedRow } from '../lease.ts';
import { readFleetLoop, type FleetLoop } from '../record.ts';
import { storable } from '../ship.ts';

const FLUSH_MS = 500;
/** A host that floods its stream must not flood the database. */
const MAX_LINES_PER_WRITE = 500;
const MAX_TEXT_CHARS = 2_000;
/** A line has several such texts. */
const MOST_LINE_BYTES = 256 * 1024;

/** A loop of this worker. */
export type TellingLoop = Pick<LeasedRow, 'id' | 'key'>;

/** Writes what it is told, a few times a second, for all loops of a worker together. */
export function openNews(sql: Sql) {
  let waiting: (TellingLoop & { readonly line: string })[] = [];
  const flush = async () => {
    const lines = waiting.slice(-MAX_LINES_PER_WRITE);
    waiting = [];
    if (lines.length === 0) return;
    await sql
      .query('select dacapo.tell_news($1, $2, $3)', [
        lines.map(({ id }) => id),
        lines.map(({ key }) => key),
        lines.map(({ line }) => line),
      ])
      .catch(() => undefined);
  };
  const clock = setInterval(() => void flush(), FLUSH_MS);
  return {
    tell: ({ id, key }: TellingLoop, event: RunEvent): void => {
      const said = event.is === 'tool-ended' ? { ...event, text: '' } : event;
      waiting.push({ id, key, line: storable(said, shortened) });
    },
    close: (): Promise<void> => {
      clearInterval(clock);
      return flush();
    },
  };
}

function shortened(_: string, value: unknown): unknown {
  return typeof value === 'string' ? headOf(value, MAX_TEXT_CHARS) : value;
}

/** Gives the lines of these loops that it has not given before. */
export function followNews(sql: Sql) {
  let after = 0;
  return async (loops: readonly string[]) => {
    const lines = await sql.query<{ loop: string; k: number; line: RunEvent }>(
      `select loop, k, line from dacapo.news
       where loop = any($1) and k > $2 and octet_length(line::text) <= $3 order by k`,
      [loops, after, MOST_LINE_BYTES],
    );
    after = lines.at(-1)?.k ?? after;
    return lines.filter(({ line }) => isNewsLine(line));
  };
}

const NEWS_POLL_MS = 300;
/**
 * A worker sends its lines a moment after the end that they tell of; this long without one, none comes any
 * more.
 */
const QUIET_MS = 3_000;

interface Follower {
  readonly tell: (event: RunEvent) => void;
  /** Whether there is nothing to wait for. */
  readonly isOver: (loop: FleetLoop) => boolean;
  readonly stop: AbortSignal;
}

/**
 * Tells what the agent of a loop does, until that is over, or the follower leaves. A database that is away is
 * waited for.
 */
export async function followLoop(sql: Sql, address: Address, id: string, { tell, isOver, stop }: Follower) {
  const newsOf = followNews(sql);
  const ask = async () => ({ lines: await newsOf([id]), row: await readFleetLoop(sql, id) });
  let [isFirst, isAway, heardEnd, quietMs] = [true, false, false, 0];
  for (
    let loop: FleetLoop | undefined;
    ;
    await sleep(NEWS_POLL_MS, undefined, { signal: stop }).catch(() => undefined)
  ) {
    if (stop.aborted) return loop;
    try {
      const { lines, row } = await ask();
      // What was told before its worker took it is history.
      const begun = isFirst ? lines.findLastIndex(({ line }) => line.is === 'begins') : 0;
      const news = lines.slice(Math.max(0, begun));
      for (const { line } of news) tell(line);
      heardEnd = news.length === 0 ? heardEnd : news.at(-1)?.line.is === 'ends';
      [isFirst, isAway, loop] = [false, false, row];
      const isDone = loop === undefined || isOver(loop);
      if (isDone && (heardEnd || quietMs >= QUIET_MS)) return loop;
      quietMs = isDone && news.length === 0 ? quietMs + NEWS_POLL_MS : 0;
    } catch (error) {
      const refusal = explainDatabaseError(error, address);
      if (refusal?.later !== true) throw error;
      if (!isAway) tell({ at: new Date().toISOString(), is: 'warning', text: refusal.message });
      isAway = true;
    }
  }
}
