/**
 * Loops that have ended, one line each: `dacapo status` shows in full only what is open and what changed
 * last.
 */
import { hasEnded, type Loop } from '#law/loop.ts';
import { plural } from '#law/words/phrases.ts';
import { oneLine } from '#base/words/sanitize.ts';
import { subject } from '#engine/look/loops.ts';
import type { Runtime } from '#store/runtime.ts';
import { iterationShown } from '#telling/person/status.ts';
import { ago } from '#telling/time.ts';
import { paint, paintStatus, table } from '../../terminal/terminal.ts';

const ABOUT_CHARS = 60;

/** Those to show in full, and those for which a line is enough. */
export function splitEnded(loops: readonly Loop[]): readonly [full: readonly Loop[], brief: readonly Loop[]] {
  const last = Math.max(...loops.map(({ updatedAt }) => Date.parse(updatedAt)));
  const isBrief = (loop: Loop) => hasEnded(loop) && Date.parse(loop.updatedAt) < last;
  return [loops.filter((loop) => !isBrief(loop)), loops.filter(isBrief)];
}

export function endedLines(loops: readonly Loop[], runtime: Runtime): string {
  const now = runtime.now();
  const rows = loops.map((loop) => [
    loop.id,
    paintStatus(loop.status.is),
    plural(iterationShown(loop), 'iteration'),
    ago(loop.updatedAt, now),
    paint.dim(oneLine(subject(loop, runtime), ABOUT_CHARS)),
  ]);
  return table(rows).join('\n');
}
