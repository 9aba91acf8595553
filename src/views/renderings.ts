/**
 * What views keep beside the journal. `views/<kind>` is what a view was last made to show, so that someone's edit can be
 * told from our own rendering. The rendering that is about to be written stands beside it: a process that dies in between
 * leaves either of the two in the view.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../store/file/atomic.ts';
import { keepEvidence } from '../store/file/evidence.ts';
import { makePrivateFolder } from '../store/file/home.ts';
import type { OpenLoop } from '../store/open-loop.ts';

export interface Renderings {
  /** The newest that was written to its end; null where none is known. */
  readonly last: string | null;
  readonly isOurs: (content: string) => boolean;
}

export function renderingsOf(open: OpenLoop, kind: string): Renderings {
  const [last, next] = [readKept(open, kind), readKept(open, `${kind}.next`)];
  return { last: last ?? next, isOurs: (content) => content === last || content === next };
}

/** `write` puts the rendering into the view; false: it was left as it is. */
export function keepRendering(
  open: OpenLoop,
  kind: string,
  rendering: string,
  write: () => boolean,
): boolean {
  const path = pathOf(open, kind);
  makePrivateFolder(join(open.dir, 'views'));
  writeFileSync(`${path}.next`, rendering, { mode: 0o600 });
  if (!write()) return false;
  renameSync(`${path}.next`, path);
  return true;
}

/** What else a view keeps there. It only saves time. */
export function readKept(open: OpenLoop, name: string): string | null {
  return readIfThere(pathOf(open, name));
}

export function keep(open: OpenLoop, name: string, content: string): void {
  replaceFile(pathOf(open, name), content);
}

/** What someone wrote is copied before it goes. Returns where it is. */
export function keepCopy(open: OpenLoop, name: string, content: string | Uint8Array): string {
  return keepEvidence(open.dir, name, content);
}

export function readCopy(open: OpenLoop, name: string): string | null {
  return readIfThere(join(open.dir, 'evidence', name));
}

function pathOf(open: OpenLoop, name: string): string {
  return join(open.dir, 'views', name);
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
