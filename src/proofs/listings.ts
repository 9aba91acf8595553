/**
 * Listings of a loop's protected files, each stored under its digest. The journal names the digest, so a swapped
 * listing is noticed.
 */
import { listing, type FileListing } from './changes.ts';
import type { Blobs } from '../store/blobs.ts';

export function keepListing(blobs: Blobs, digest: string, content: string): void {
  blobs.write(nameOf(digest), content);
}

/** Returns null if the listing is gone, or differs from what was stored. */
export function readListing(blobs: Blobs, digest: string): FileListing | null {
  const content = blobs.read(nameOf(digest));
  if (content === null) return null;
  // Loaded only when needed: it takes 3 ms.
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
