/**
 * `loops/<id>/views/<kind>`: what a view was last made to show, so that another hand can be told from ours. The one that
 * is about to be written stands beside it: a process that dies in between leaves either of the two in the view.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../store/file/home.ts';

export interface Renderings {
  /** The newest that was written to its end; null where none is known. */
  readonly last: string | null;
  readonly isOurs: (content: string) => boolean;
}

export function renderingsOf(dir: string, kind: string): Renderings {
  const path = pathOf(dir, kind);
  const [last, next] = [readIfThere(path), readIfThere(`${path}.next`)];
  return { last: last ?? next, isOurs: (content) => content === last || content === next };
}

/** `write` puts the rendering into the view; false: it was left as it is. */
export function keepRendering(dir: string, kind: string, rendering: string, write: () => boolean): boolean {
  const path = pathOf(dir, kind);
  makePrivateFolder(join(dir, 'views'));
  writeFileSync(`${path}.next`, rendering, { mode: 0o600 });
  if (!write()) return false;
  renameSync(`${path}.next`, path);
  return true;
}

function pathOf(dir: string, kind: string): string {
  return join(dir, 'views', kind);
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
