/**
 * What a loop consists of beside its journal, so that it can go on on another machine. Left out is what that machine makes
 * again (caches, renderings), what is true only here (the environment, a proof under way), and what travels by other means
 * (git's objects, evidence).
 */
import { sha256 } from '../files/sha256.ts';
import type { OpenLoop } from './open-loop.ts';

/** Folders of blobs. The empty one holds the blobs without a folder. */
const FOLDERS = ['', 'prompts/', 'protected/', 'checkpoints/', 'requests/', 'git/', 'git/points/'];
const STAYS: ReadonlySet<string> = new Set([
  'journal.jsonl',
  'state.json',
  'tally.json',
  'environment.json',
  'environment-difference.json',
  'proving.json',
]);

export interface LoopFile {
  readonly name: string;
  readonly sha256: string;
  readonly content: string;
}

/** In the order of their names. Two copies of a loop have the same parts if their names and digests are the same. */
export function manifestOf({ blobs }: Pick<OpenLoop, 'blobs'>): LoopFile[] {
  return FOLDERS.flatMap((folder) => blobs.list(folder))
    .filter((name) => !STAYS.has(name) && !name.endsWith('.tmp'))
    .toSorted()
    .flatMap((name) => {
      const content = blobs.read(name);
      return content === null ? [] : [{ name, sha256: sha256(content), content }];
    });
}
