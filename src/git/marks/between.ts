/** Which files differ between two marks that one store keeps, or from one of them until now. */
import type { TreeMark } from '../../core/record/mark.ts';
import { readable } from '../git.ts';
import { openRepository, type Opening } from '../repository.ts';
import { seenFrom } from '../path-patterns.ts';
import { namesBetweenScans, readScan } from './folder-scan.ts';
import { namesBetween } from './mark-tree.ts';

const MOST_MS = 5_000;

/** `from`, `to`: the contents of two marks (`contentOf`). Null: one of them can no longer be read. */
export async function filesBetween(
  project: string,
  from: string,
  to: string,
  store: string,
): Promise<string[] | null> {
  const names = namesOfScans(from, to, store) ?? (await namesOfTrees(project, from, to, store));
  return names && [...new Set(names)].map(readable).toSorted();
}

export function markWith(content: string, store: string): TreeMark {
  return readScan(store, content) === null ? { tree: content, head: null } : { folder: content };
}

function namesOfScans(from: string, to: string, store: string): string[] | null {
  const [then, now] = [readScan(store, from), readScan(store, to)];
  return then === null || now === null ? null : namesBetweenScans(then, now);
}

async function namesOfTrees(
  project: string,
  from: string,
  to: string,
  store: string,
): Promise<string[] | null> {
  const opening: Opening = { filters: 'all', ms: MOST_MS, signal: AbortSignal.timeout(MOST_MS) };
  const repository = await openRepository(project, opening);
  if (!repository.ok) return null;
  const names = await namesBetween(repository, from, to, { store, opening });
  return names && names.map((name) => seenFrom(repository.prefix, name));
}
