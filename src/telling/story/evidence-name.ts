/** The names of evidence: each is one file of a loop's evidence, and none leads anywhere else. */

/** One file name without a folder. It begins with no dot, so it is neither `..` nor hidden. */
const EVIDENCE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,200}$/;

export function isEvidenceName(name: string): boolean {
  return EVIDENCE_NAME.test(name);
}

/**
 * The journal names evidence by its place, which may be on another machine. Null: the place names no
 * evidence.
 */
export function evidenceNameOf(place: string | null): string | null {
  const name = place?.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  return isEvidenceName(name) ? name : null;
}
