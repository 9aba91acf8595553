/** Looks into a feature list: a regular file of bounded size, no link, named as seen from the project. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { factsOf, readFeatures, type FeatureList, type NoFeatures } from './features.ts';
import { codeOf } from '../core/error-code.ts';
import type { FeaturesProof } from '../core/features.ts';

/** Twenty thousand items with their steps; a file above that is something else. */
const MOST = 16 * 1024 * 1024;

/** Windows knows neither. Without O_NONBLOCK a pipe under the file's name would hold the hook for ever. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function proveFeatures(file: string, project: string): FeaturesProof {
  const read = readFeatureFile(file, project);
  return read.ok ? { is: 'read', facts: factsOf(read) } : { is: 'unreadable', why: read.why };
}

/** The whole list, for whoever shows it. */
export function readFeatureFile(file: string, project: string): FeatureList | NoFeatures {
  const read = readListFile(file, project);
  return read.ok ? readFeatures(read.content, file) : read;
}

/** A list that a person named, whatever its format. */
export function readListFile(file: string, project: string): Content {
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
    return { ok: true, content: readFileSync(opened, 'utf8') };
  } finally {
    closeSync(opened);
  }
}
