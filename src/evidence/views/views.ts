/**
 * The views of a loop, for the other rooms: read before a stop is judged, shown after it was recorded. Nearly
 * every loop has the markdown view alone, and nearly every stop finds it unchanged. That case is handled
 * here; the rest is in `registry.ts`, which such a stop does not load.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded, type Loop } from '#law/loop.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import type { Runtime } from '#store/runtime.ts';
import { isUntouched, showMarkdown } from './markdown/show.ts';
import { STATE_FILE } from './places.ts';
import { readAll, showAll } from './registry.ts';

export function readViews(open: OpenLoop, runtime: Runtime): Loop {
  const loop = open.loop();
  return hasUntouchedView(loop) ? loop : readAll(open, runtime);
}

/**
 * Shows the loop as it is now. Each view is read once more directly before it is replaced, so the loop that
 * is returned may have been cancelled or changed by a person meanwhile.
 *
 * Several hooks may show one loop at once, and a slow one would leave an older state in the view. So each
 * reads the journal after it has written, and shows the loop again if another hook has recorded more.
 */
export function showViews(open: OpenLoop, runtime: Runtime): Loop {
  for (;;) {
    const shown = showOnce(open, runtime);
    if (open.look().events === shown.events) return shown;
  }
}

/**
 * For a loop that has changed. The journal is on the disk before a view shows it: a power cut would otherwise
 * leave a torn view of a state that nobody can recognise any more.
 */
export function showAndKeep(open: OpenLoop, runtime: Runtime): Loop {
  open.keep();
  const { events } = open.loop();
  const shown = showViews(open, runtime);
  if (shown.events !== events) open.keep();
  return shown;
}

function showOnce(open: OpenLoop, runtime: Runtime): Loop {
  const loop = open.loop();
  if (hasEnded(loop) || !hasUntouchedView(loop)) return showAll(open, runtime);
  showMarkdown(open, loop, runtime);
  return loop;
}

/** Nothing but the markdown view is shown, and nobody has touched it. */
function hasUntouchedView(loop: Loop): boolean {
  return (
    loop.people.requests.length + loop.files.views.length === 0 &&
    // Where the record names no view, a start may have been killed that had made one.
    (loop.files.view === null
      ? !existsSync(join(loop.project, STATE_FILE))
      : isUntouched(loop, loop.files.view))
  );
}
