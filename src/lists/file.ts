/** Looks into a feature list: a regular file of bounded size, no link, named as seen from the project. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { factsOf, readFeatures, type FeatureList, type NoFeatures } from './features.ts';
import { splitName } from './sections.ts';
import { codeOf } from '../core/error-code.ts';
import type { FeaturesProof } from '../core/record/features.ts';

/** Twenty thousand items with their steps; a file above that is something else. */
const MOST = 16 * 1024 * 1024;

/** Windows knows neither. Without O_NONBLOCK a pipe under the file's name would hold the hook for ever. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `before`: what was seen of it at the stop before. */
export function proveFeatures(
  name: string,
  project: string,
  before: FeaturesProof | null = null,
): FeaturesProof {
  const read = readFeatureFile(name, project);
  if (read.ok) return { is: 'read', facts: factsOf(read, before) };
  return { is: 'unreadable', why: read.why, ...(read.broken === true ? { broken: true } : {}) };
}

/** The whole list, for whoever shows it. `name`: a file, or a part of one (`FILE#Section`). */
export function readFeatureFile(name: string, project: string): FeatureList | NoFeatures {
  const read = readListFile(name, project);
  return read.ok ? readFeatures(read.content, name) : read;
}

/** A list that a person named, whatever its format. */
export function readListFile(name: string, project: string): Content {
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

type Content = { readonly ok: true; readonly content: string } | NoFeatures;

function readBounded(path: string): Content {
  const opened = openSync(path, READING);
  try {
    const stat = fstatSync(opened);
    if (!stat.isFile()) return { ok: false, why: 'is no regular file' };
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
