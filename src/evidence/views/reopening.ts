/**
 * An ending removes the views of a loop. Whoever reopens it writes that first, and makes them again next. In
 * between nobody has deleted them.
 */
import { fold } from '#law/fold/index.ts';
import { hasEnded, type Loop } from '#law/loop.ts';
import type { OpenLoop } from '#store/open-loop.ts';

/** Until a `viewed` follows. If that process was killed before, the loop goes on without a view. */
export function isReopening({ journal }: OpenLoop): boolean {
  let loop: Loop | null = null;
  let reopening = false;
  for (const event of journal.read(0).events) {
    const had = loop !== null && hasEnded(loop);
    loop = fold(loop, event);
    if (had && loop !== null && !hasEnded(loop)) reopening = true;
    if (event.type === 'viewed') reopening = false;
  }
  return reopening;
}
