/** Reads a list from its file: a regular file of bounded size, no link, with a path relative to the project. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { factsOf, readFeatures, type FeatureList, type NoFeatures } from './features.ts';
import { readItemList } from './items.ts';
import { splitName } from './sections.ts';
import type { ItemList } from './work-item.ts';
import { codeOf } from '../core/thrown.ts';
import type { FeaturesProof } from '../core/record/definition.ts';

/** Room for twenty thousand items with their steps. A larger file is something else. */
const MOST = 16 * 1024 * 1024;

/** Windows has neither flag. Without O_NONBLOCK a pipe with the file's name would block the hook forever. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `before`: what the previous stop saw of it. */
export function proveFeatures(
  name: string,
  project: string,
  before: FeaturesProof | null = null,
): FeaturesProof {
  const read = readFeatureFile(name, project, before);
  if (read.ok) return { is: 'read', facts: factsOf(read, before) };
  return { is: 'unreadable', why: read.why, ...(read.broken === true ? { broken: true } : {}) };
}

/** The whole list, for display. `name`: a file, or a part of one (`FILE#Section`). */
export function readFeatureFile(
  name: string,
  project: string,
  before: FeaturesProof | null = null,
): FeatureList | NoFeatures {
  const read = readListFile(name, project);
  if (!read.ok) return read;
  return readFeatures(read.content, name, before?.is === 'read' ? before.facts.total : 0);
}

/** The work items in a file. `name`: may end in `#Section`. */
export function readItemFile(name: string, project: string): ItemList {
  const read = readListFile(name, project);
  return read.ok ? readItemList(read.content, name, 'file') : read;
}

/** A list that a person named, in any format. */
export function readListFile(name: string, project: string): ListContent {
  const { file } = splitName(name);
  const path = resolve(project, file);
  try {
    if (lstatSync(path).isSymbolicLink()) return no(file, 'is a link, and links are not followed');
    const content = readBounded(path);
    return content.ok ? content : no(file, content.why);
  } catch (error) {
    const code = codeOf(error);
    return no(file, code === 'ENOENT' ? `is not there (looked for ${path})` : `can't be read (${code})`);
  }
}

function no(file: string, why: string): NoFeatures {
  return { ok: false, why: `${file} ${why}` };
}

type ListContent = { readonly ok: true; readonly content: string } | NoFeatures;

function readBounded(path: string): ListContent {
  const opened = openSync(path, READING);
  try {
    const stat = fstatSync(opened);
    if (!stat.isFile()) return { ok: false, why: 'is not a regular file' };
    if (stat.size > MOST) return { ok: false, why: `is larger than ${MOST / 1024 / 1024} MB` };
    return { ok: true, content: decode(readFileSync(opened)) };
  } finally {
    closeSync(opened);
  }
}

/** PowerShell's `>` writes UTF-16, with a byte order mark. */
function decode(bytes: Buffer): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');
}
