/** Copies that explain: outputs of checks, rejected or corrupt state, what people wrote before it was replaced. */
import { join } from 'node:path';
import type { Blobs } from './blobs.ts';
import type { OpenLoop } from './open-loop.ts';

const FOLDER = 'evidence';

/** Returns where it is kept. */
export function keepEvidence(blobs: Blobs, name: string, content: string | Uint8Array): string {
  return blobs.place(blobs.keep(`${FOLDER}/${name}`, content));
}

export function readEvidence(blobs: Blobs, name: string): string | null {
  return blobs.read(`${FOLDER}/${name}`);
}

/** A new file, for what another program prints. */
export function evidenceFile({ blobs, folder }: OpenLoop, name: string): string {
  return join(folder(FOLDER), blobs.keep(`${FOLDER}/${name}`, '').slice(FOLDER.length + 1));
}

/** All of it, as a person is told. */
export function evidencePlace(blobs: Blobs): string {
  return blobs.place(FOLDER);
}

/** The folder of those files. */
export function evidenceFolder({ folder }: Pick<OpenLoop, 'folder'>): string {
  return folder(FOLDER);
}
