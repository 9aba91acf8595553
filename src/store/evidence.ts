/**
 * Copies kept as evidence: outputs of checks, rejected or corrupt state, what people wrote before we replaced
 * it.
 */
import { join } from 'node:path';
import type { Blobs, OpenLoop } from './open-loop.ts';
import { existsSync, renameSync, rmSync } from 'node:fs';

const FOLDER = 'evidence';

export function keepEvidence(blobs: Blobs, name: string, content: string | Uint8Array): string {
  return blobs.place(blobs.keep(`${FOLDER}/${name}`, content));
}

export function readEvidence(blobs: Blobs, name: string): string | null {
  return blobs.read(`${FOLDER}/${name}`);
}

export function evidenceFile({ blobs, folder }: OpenLoop, name: string): string {
  return join(folder(FOLDER), blobs.keep(`${FOLDER}/${name}`, '').slice(FOLDER.length + 1));
}

export function evidencePlace(blobs: Blobs): string {
  return blobs.place(FOLDER);
}

export function evidenceFolder({ folder }: Pick<OpenLoop, 'folder'>): string {
  return folder(FOLDER);
}

export function treeStore({ folder }: Pick<OpenLoop, 'folder'>): string {
  return folder('git');
}

/** A new loop takes over the store of the mark that was made before the loop. */
export function moveTrees(loop: Pick<OpenLoop, 'folder'>, from: string): void {
  if (!existsSync(from)) return;
  const to = treeStore(loop);
  // On Windows, a rename fails if the target exists.
  rmSync(to, { recursive: true });
  renameSync(from, to);
}

export function dropTrees(from: string): void {
  rmSync(from, { recursive: true, force: true });
}
