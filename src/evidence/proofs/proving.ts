/**
 * What a hearing is checking right now, for `status` and other observers. Removed when the hearing is over.
 */
import { readAs, instant, list, record, text, type Infer } from '#base/shape.ts';
import type { Blobs } from '#store/open-loop.ts';

const proving = record({ at: instant, what: list(text) });
export type Proving = Infer<typeof proving>;

const PROVING_FILE = 'proving.json';

/** For display only: a full disk must not void a hearing. */
export function keepProgress(blobs: Blobs, now: Proving | null): void {
  try {
    if (now === null) blobs.remove(PROVING_FILE);
    else blobs.write(PROVING_FILE, JSON.stringify(now));
  } catch {
    // The hearing does not depend on it.
  }
}

export function readProving(blobs: Blobs): Proving | null {
  return readAs(proving, () => blobs.read(PROVING_FILE));
}
