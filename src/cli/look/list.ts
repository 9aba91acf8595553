/** `dacapo list`: one line per loop. */
import { topFrame, type Loop } from '../../core/loop.ts';
import { report } from '../../text/report.ts';
import { iterationShown } from '../../text/status.ts';
import { EXIT, paintStatus, say, sayJson, listing } from '../terminal/terminal.ts';
import { subject } from '../../operations/look/loops.ts';
import {
  failUnreadable,
  findLoops,
  noteUnread,
  enclosingProject,
  here,
  shownPath,
  cliRuntime,
} from '../context.ts';
import { ago } from '../../text/time.ts';
import type { Given } from '../command.ts';

export async function runList({ json, all }: Given<'all' | 'json'>): Promise<number> {
  const runtime = cliRuntime();
  const unreadable = failUnreadable(runtime);
  if (unreadable !== null) return unreadable;
  const loops = findLoops(all, runtime);
  const now = runtime.now();
  const exit = noteUnread(runtime) ? EXIT.failed : EXIT.ok;
  const none = all ? 'No loops yet.' : 'No loops in this project. dacapo list --all shows other projects.';
  // A folder outside any project may contain several projects with loops.
  const withProject = all || (enclosingProject() === null && loops.some(({ project }) => project !== here()));
  const heading = ['LOOP', 'STATUS', 'ITERATION', 'UPDATED', ...(withProject ? ['PROJECT'] : []), 'ABOUT'];
  const rows = loops.map((loop) => [
    loop.id,
    paintStatus(loop.status.is),
    sayIteration(loop, now),
    ago(loop.updatedAt, now),
    ...(withProject ? [shownPath(loop.project)] : []),
    subject(loop, runtime),
  ]);
  if (json) sayJson(loops.map((loop) => report(loop, now)));
  else if (loops.length > 0) say(...listing(heading, rows));
  else if (exit === EXIT.ok) say(none);
  return exit;
}

/** In a list of items the limit applies to each item, so the sum of all has none. */
function sayIteration(loop: Loop, now: string): string {
  const { items, iterations } = topFrame(loop);
  return items === null
    ? `${iterationShown(loop)}/${iterations ?? '∞'}`
    : String(report(loop, now).iteration);
}
