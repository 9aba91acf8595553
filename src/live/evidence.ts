/**
 * Evidence by name: the output of a check, the stream of a pass, what a person wrote. A name is one file of the loop's
 * evidence. Nothing else can be read through here, whatever the name says.
 */
import { basename } from 'node:path';
import { readEvidence } from '../store/evidence.ts';
import type { OpenLoop } from '../store/open-loop.ts';
import { clean } from './clean.ts';

/** One file name without a folder. It begins with no dot, so it is neither `..` nor hidden. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,200}$/;
/** The beginning and the end of a longer text are enough to judge it, and no reader is flooded. */
const MOST = 400_000;

/** `cut`: how many characters in the middle are left out. */
export type Evidence = NonNullable<ReturnType<typeof evidenceNamed>>;

export function evidenceNamed({ blobs }: Pick<OpenLoop, 'blobs'>, name: string) {
  if (!NAME.test(name) || !blobs.list(`evidence/${name}`).includes(`evidence/${name}`)) return null;
  const content = readEvidence(blobs, name);
  if (content === null) return null;
  const cut = Math.max(0, content.length - MOST);
  const kept =
    cut === 0 ? content : `${content.slice(0, MOST / 2)}\n…\n${content.slice(content.length - MOST / 2)}`;
  return { name, text: clean(kept), cut };
}

export function evidenceNames({ blobs }: Pick<OpenLoop, 'blobs'>): string[] {
  return blobs
    .list('evidence/')
    .map((name) => name.slice('evidence/'.length))
    .filter((name) => NAME.test(name));
}

/** The journal names evidence by its place, which may be on another machine. Null: the place names no evidence. */
export function evidenceNameOf(place: string | null): string | null {
  if (place === null) return null;
  const name = basename(place.replaceAll('\\', '/'));
  return NAME.test(name) ? name : null;
}
