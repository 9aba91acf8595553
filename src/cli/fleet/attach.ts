/** `dacapo fleet attach`: what one agent does now, in this terminal, as `dacapo run` would show it. */
import { hasEnded } from '../../core/loop.ts';
import { followLoop, followNews } from '../../fleet/news.ts';
import { readLoops } from '../../fleet/record.ts';
import { openShow } from '../../screen/open.ts';
import { showOptions } from '../begin/drive.ts';
import { EXIT, note } from '../terminal/terminal.ts';
import { withLoop, type OneLoop } from './fleet.ts';
import { stopSignal } from './look.ts';

export function runAttach(options: OneLoop): Promise<number> {
  return withLoop(options, async (id, database, address) => {
    const [loop] = await readLoops(database, [id]);
    if (loop === undefined) throw new Error(`${id} is gone`);
    const setting = {
      gates: loop.gates,
      budgetUsd: loop.max_cost_usd,
      workedMs: loop.worked_seconds * 1_000,
      costUsd: loop.cost_usd,
      tokens: loop.tokens,
      silenceMs: null,
    };
    if ((await followNews(database)([id])).length === 0)
      note(`Da Capo: loop ${id} ${loop.reason}. Its agent has done nothing yet.`);
    const show = openShow(setting, showOptions(options.json ? 'json' : 'view'));
    try {
      await followLoop(database, address, id, {
        tell: show.tell,
        isOver: ({ status: is }) => hasEnded({ status: { is } }),
        stop: stopSignal(),
      });
      return EXIT.ok;
    } finally {
      show.close();
    }
  });
}
