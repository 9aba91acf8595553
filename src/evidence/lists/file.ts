/**
 * Reads a list from its file: a regular file of bounded size, no link, with a path relative to the project.
 */
import { resolve } from 'node:path';
import { featureFactsOf, readFeatures } from './features.ts';
import { readItemList } from './items.ts';
import { splitName } from './sections.ts';
import type { ItemList } from './work-item.ts';
import type { Attempt } from '#base/shape.ts';
import { readRegular } from '#base/files/read.ts';
import type { FeaturesProof } from '#law/record/definition.ts';

export function proveFeatures(
  name: string,
  project: string,
  before: FeaturesProof | null = null,
): FeaturesProof {
  const read = readFeatureFile(name, project, before);
  if (read.ok) return { is: 'read', facts: featureFactsOf(read, before) };
  return { is: 'unreadable', why: read.why, ...('broken' in read && { broken: true }) };
}

/** The whole list, for display. `name`: a file, or a part of one (`FILE#Section`). */
export function readFeatureFile(name: string, project: string, before: FeaturesProof | null = null) {
  const read = readListFile(name, project);
  if (!read.ok) return read;
  return readFeatures(read.content, name, before?.is === 'read' ? before.facts.total : 0);
}

export function readItemFile(name: string, project: string): ItemList {
  const read = readListFile(name, project);
  return read.ok ? readItemList(read.content, name, 'file') : read;
}

export function readListFile(name: string, project: string): Attempt<{ readonly content: string }> {
  const { file } = splitName(name);
  const path = resolve(project, file);
  const found = readRegular(path);
  if (found.is === 'gone') return { ok: false, why: `${file} is not there (looked for ${path})` };
  if (found.is === 'unreadable') return { ok: false, why: `${file} ${sayUnreadable(found.why)}` };
  // PowerShell's `>` writes UTF-16. Its byte order mark is no UTF-8.
  const isUtf16 = found.content.startsWith('\uFFFD\uFFFD');
  return { ok: true, content: isUtf16 ? Buffer.from(found.bytes).toString('utf16le') : found.content };
}

/** `why`: the code of an error, or what the file is. */
function sayUnreadable(why: string): string {
  if (why === 'ELOOP') return 'is a link, and links are not followed';
  return /^[A-Z]/.test(why) ? `can't be read (${why})` : `is ${why}`;
}
