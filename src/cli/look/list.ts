/** `dacapo list`: one line per loop. */
import { topFrame } from '../../core/loop.ts';
import { iterationShown, report } from '../../text/report.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { subject, unreadLoops } from '../../operations/find.ts';
import { findLoops } from '../loops.ts';
import { shownPath } from '../project.ts';
import { table } from '../terminal/table.ts';
import { note, paint, paintStatus, say, sayJson } from '../terminal/terminal.ts';
import { ago } from '../../text/time.ts';
import { cliWorld } from '../runtime.ts';

export interface ListOptions {
  readonly json: boolean;
  readonly all: boolean;
}

export async function runList({ json, all }: ListOptions): Promise<number> {
  const world = cliWorld();
  const loops = findLoops(all, world);
  const now = world.now();
  for (const { id, unread } of unreadLoops(world)) note(`Loop ${id} can't be read: ${unread}`);
  if (json) {
    sayJson(loops.map((loop) => report(loop, now)));
    return EXIT.ok;
  }
  if (loops.length === 0) {
    say(all ? 'No loops yet.' : 'No loops in this project. dacapo list --all shows other projects.');
    return EXIT.ok;
  }
  const heading = ['LOOP', 'STATUS', 'ITERATION', 'UPDATED', ...(all ? ['PROJECT'] : []), 'ABOUT'];
  const rows = loops.map((loop) => [
    loop.id,
    paintStatus(loop.status.is),
    `${iterationShown(loop)}/${topFrame(loop).iterations ?? '∞'}`,
    ago(loop.updatedAt, now),
    ...(all ? [shownPath(loop.project)] : []),
    subject(loop, world),
  ]);
  say(...table([heading.map((word) => paint.dim(word)), ...rows]));
  return EXIT.ok;
}
