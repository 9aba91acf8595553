/**
 * Evidence by name: the output of a check, the stream of a pass, what a person wrote. A name is one file of
 * the loop's evidence. Nothing else can be read through here, whatever the name says.
 */
import { readEvidence } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { clean } from '#telling/story/clean.ts';
import { isEvidenceName } from '#telling/story/evidence-name.ts';

/** The beginning and the end of a longer text are enough to judge it, and no reader is flooded. */
const MAX_EVIDENCE_CHARS = 400_000;

/** `cut`: how many characters in the middle are left out. */
export type Evidence = NonNullable<ReturnType<typeof evidenceNamed>>;

export function evidenceNamed({ blobs }: Pick<OpenLoop, 'blobs'>, name: string) {
  if (!isEvidenceName(name) || !blobs.list(`evidence/${name}`).includes(`evidence/${name}`)) return null;
  const content = readEvidence(blobs, name);
  if (content === null) return null;
  const cut = Math.max(0, content.length - MAX_EVIDENCE_CHARS);
  const half = MAX_EVIDENCE_CHARS / 2;
  const kept = cut === 0 ? content : `${content.slice(0, half)}\n…\n${content.slice(-half)}`;
  return { name, text: clean(kept), cut };
}

export function evidenceNames({ blobs }: Pick<OpenLoop, 'blobs'>): string[] {
  return blobs
    .list('evidence/')
    .map((name) => name.slice('evidence/'.length))
    .filter(isEvidenceName);
}
