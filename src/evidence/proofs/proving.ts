/**
 * What a hearing is checking right now, for `status` and other observers. Removed when the hearing is over.
 */
import { readAs, instant, list, record, text, type Infer } from '#base/shape.ts';
import type { Blobs } from '#store/open-loop.ts';

const proving = record({ at: instant, what: list(text) });
export type Proving = Infer<typeof proving>;

const NAME = 'proving.json';

/** For display only: a full disk must not void a hearing. */
export function keepProgress(blobs: Blobs, now: Proving | null): void {
  try {
    if (now === null) blobs.remove(NAME);
    else blobs.write(NAME, JSON.stringify(now));
  } catch {
    // The hearing does not depend on it.
  }
}

export function readProgress(blobs: Blobs): Proving | null {
  return readAs(proving, () => blobs.read(NAME));
}
