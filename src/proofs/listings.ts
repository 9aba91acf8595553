/** What the protected files of a loop were, each listing under its digest: the journal names it, and it can't be exchanged unseen. */
import { listing, type Listing } from './changes.ts';
import type { Blobs } from '../store/blobs.ts';

export function keepListing(blobs: Blobs, digest: string, content: string): void {
  blobs.write(nameOf(digest), content);
}

/** Null: it is gone, or not what was kept. */
export function readListing(blobs: Blobs, digest: string): Listing | null {
  const content = blobs.read(nameOf(digest));
  if (content === null) return null;
  // Loaded in need only: it takes 3 ms.
  const { createHash } = process.getBuiltinModule('node:crypto');
  if (createHash('sha256').update(content).digest('hex') !== digest) return null;
  try {
    const value: unknown = JSON.parse(content);
    return listing(value) ? value : null;
  } catch {
    return null;
  }
}

function nameOf(digest: string): string {
  return `protected/${digest}.json`;
}
