/** What the protected files of a loop were, each listing under its digest: the journal names it, and it can't be exchanged unseen. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listing, type Listing } from './changes.ts';
import { makePrivateFolder } from '../store/file/home.ts';

export function keepListing(dir: string, digest: string, content: string): void {
  makePrivateFolder(join(dir, 'protected'));
  const path = pathOf(dir, digest);
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, path);
}

/** Null: it is gone, or not what was kept. */
export function readListing(dir: string, digest: string): Listing | null {
  try {
    const content = readFileSync(pathOf(dir, digest), 'utf8');
    // Loaded in need only: it takes 3 ms.
    const { createHash } = process.getBuiltinModule('node:crypto');
    if (createHash('sha256').update(content).digest('hex') !== digest) return null;
    const value: unknown = JSON.parse(content);
    return listing(value) ? value : null;
  } catch {
    return null;
  }
}

function pathOf(dir: string, digest: string): string {
  return join(dir, 'protected', `${digest}.json`);
}
