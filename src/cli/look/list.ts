/** `dacapo list`: one line per loop. */
import { topFrame, type Loop } from '../../core/loop.ts';
import { iterationShown, report } from '../../text/report.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { subject } from '../../operations/look/loops.ts';
import { failUnreadable, findLoops, noteUnread, whyUnreadable } from '../loops.ts';
import { enclosingProject, here, shownPath } from '../project.ts';
import { table } from '../terminal/table.ts';
import { paint, paintStatus, say, sayJson, verbatim } from '../terminal/terminal.ts';
import { ago } from '../../text/time.ts';
import { cliRuntime } from '../runtime.ts';
import type { Given } from '../command.ts';

export async function runList({ json, all }: Given<'all' | 'json'>): Promise<number> {
  const runtime = cliRuntime();
  const unreadable = whyUnreadable(runtime);
  if (unreadable !== null) return failUnreadable(unreadable);
  const loops = findLoops(all, runtime);
  const now = runtime.now();
  const exit = noteUnread(runtime) ? EXIT.failed : EXIT.ok;
  if (json) {
    sayJson(loops.map((loop) => report(loop, now)));
    return exit;
  }
  if (loops.length === 0) {
    if (exit === EXIT.ok)
      say(all ? 'No loops yet.' : 'No loops in this project. dacapo list --all shows other projects.');
    return exit;
  }
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
  say(...table([heading.map((word) => paint.dim(word)), ...rows]).map(verbatim));
  return exit;
}

/** In a list of items the limit applies to each item, so the sum of all has none. */
function sayIteration(loop: Loop, now: string): string {
  const { items, iterations } = topFrame(loop);
  return items === null
    ? `${iterationShown(loop)}/${iterations ?? '∞'}`
    : String(report(loop, now).iteration);
}
