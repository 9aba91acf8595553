/** Copies kept as evidence: outputs of checks, rejected or corrupt state, what people wrote before we replaced it. */
import { join } from 'node:path';
import type { Blobs, OpenLoop } from './open-loop.ts';

const FOLDER = 'evidence';

/** Returns where the copy is. */
export function keepEvidence(blobs: Blobs, name: string, content: string | Uint8Array): string {
  return blobs.place(blobs.keep(`${FOLDER}/${name}`, content));
}

export function readEvidence(blobs: Blobs, name: string): string | null {
  return blobs.read(`${FOLDER}/${name}`);
}

/** A new file for the output of another program. */
export function evidenceFile({ blobs, folder }: OpenLoop, name: string): string {
  return join(folder(FOLDER), blobs.keep(`${FOLDER}/${name}`, '').slice(FOLDER.length + 1));
}

/** Where all the evidence is, for messages to a person. */
export function evidencePlace(blobs: Blobs): string {
  return blobs.place(FOLDER);
}

/** The folder of those files. */
export function evidenceFolder({ folder }: Pick<OpenLoop, 'folder'>): string {
  return folder(FOLDER);
}
