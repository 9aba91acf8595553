/**
 * What a loop consists of beside its journal, so that it can continue on another machine. Left out is what
 * that machine makes again (caches, renderings), what is true only here (the environment, a proof under way),
 * and what travels by other means (git's objects, evidence).
 */
import { sha256 } from '#base/files/sha256.ts';
import type { OpenLoop } from './open-loop.ts';

/** Folders of blobs. The empty one holds the blobs without a folder. */
const FOLDERS = ['', 'prompts/', 'protected/', 'ground/', 'checkpoints/', 'requests/', 'git/', 'git/points/'];
const STAYS: ReadonlySet<string> = new Set([
  'journal.jsonl',
  'state.json',
  'tally.json',
  'environment.json',
  'environment-difference.json',
  'proving.json',
  'late-room.json',
]);

/** Beside those folders, a copy of a loop has its evidence. */
const COPIED = [...FOLDERS, 'evidence/'];
/** One plain name, on any system. */
// eslint-disable-next-line no-control-regex
const COPIED_NAME = /^(?!\.{1,2}$)[^\u0000-\u001f\u007f/\\:]{1,200}$/;

/** Whether a loop can have a file of this name in a copy: a folder of those above, and one plain name. */
export function isLoopFileName(name: string): boolean {
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const own = name.slice(folder.length);
  return COPIED.includes(folder) && COPIED_NAME.test(own) && !STAYS.has(name) && !own.endsWith('.tmp');
}

export interface LoopFile {
  readonly name: string;
  readonly sha256: string;
  readonly content: string;
}

/**
 * In the order of their names. Two copies of a loop have the same parts if their names and digests are the
 * same.
 */
export function buildManifest({ blobs }: Pick<OpenLoop, 'blobs'>): LoopFile[] {
  return FOLDERS.flatMap((folder) => blobs.list(folder))
    .filter(isLoopFileName)
    .toSorted()
    .flatMap((name) => {
      const content = blobs.read(name);
      return content === null ? [] : [{ name, sha256: sha256(content), content }];
    });
}
