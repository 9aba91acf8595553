/** `dacapo fleet attach`: what the agent of a loop does now, shown as `dacapo run` would show it here. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded } from '../../core/loop.ts';
import { followNews } from '../../fleet/news.ts';
import { findLoop, readLoops } from '../../fleet/record.ts';
import { openShow } from '../../screen/open.ts';
import { showOptions } from '../begin/drive.ts';
import { EXIT, failFor, note } from '../terminal/terminal.ts';
import { withFleet, type FleetOptions } from './fleet.ts';
import { stopSignal } from './look.ts';

const LOOK_MS = 300;
/** A worker sends its lines a moment after the end that they tell of; so long without one, none comes any more. */
const QUIET_MS = 3_000;

export function runAttach(wanted: string, options: FleetOptions): Promise<number> {
  return withFleet(options, async (database) => {
    const found = await findLoop(database, wanted);
    if (!found.ok) return failFor(found);
    const stop = stopSignal();
    const read = async () => {
      const [loop] = await readLoops(database, [found.id]);
      if (loop === undefined) throw new Error(`${found.id} is gone`);
      return loop;
    };
    const loop = await read();
    const setting = {
      gates: loop.gates,
      budgetUsd: loop.max_cost_usd,
      workedMs: loop.worked_seconds * 1_000,
      costUsd: loop.cost_usd,
      tokens: loop.tokens,
      silenceMs: null,
    };
    const follow = followNews(database);
    const told = (await follow([found.id])).map(({ line }) => line);
    // What was told before its worker took it is history.
    const since = told.findLastIndex(({ is }) => is === 'begins');
    let news = told.slice(Math.max(0, since));
    if (news.length === 0) note(`Da Capo: loop ${found.id} ${loop.reason}. Its agent has done nothing yet.`);
    const show = openShow(setting, showOptions(options.json ? 'json' : 'view'));
    try {
      let heardEnd = false;
      let quietMs = 0;
      while (!stop.aborted) {
        for (const event of news) show.tell(event);
        heardEnd = news.length === 0 ? heardEnd : news.at(-1)?.is === 'ends';
        const isOver = hasEnded({ status: { is: (await read()).status } });
        if (isOver && (heardEnd || quietMs >= QUIET_MS)) break;
        await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => undefined);
        news = (await follow([found.id])).map(({ line }) => line);
        quietMs = isOver && news.length === 0 ? quietMs + LOOK_MS : 0;
      }
      return EXIT.ok;
    } finally {
      show.close();
    }
  });
}
