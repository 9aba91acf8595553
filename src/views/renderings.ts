/**
 * What a view was last made to show, so that another hand can be told from ours. The one that is about to be written stands
 * beside it: a process that dies in between leaves either of the two in the view.
 */
import type { Blobs } from '../store/blobs.ts';

export interface Renderings {
  /** The newest that was written to its end; null where none is known. */
  readonly last: string | null;
  readonly isOurs: (content: string) => boolean;
}

export function renderingsOf(blobs: Blobs, kind: string): Renderings {
  const name = nameOf(kind);
  const [last, next] = [blobs.read(name), blobs.read(`${name}.next`)];
  return { last: last ?? next, isOurs: (content) => content === last || content === next };
}

/** `write` puts the rendering into the view; false: it was left as it is. */
export function keepRendering(blobs: Blobs, kind: string, rendering: string, write: () => boolean): boolean {
  const name = nameOf(kind);
  blobs.write(`${name}.next`, rendering);
  if (!write()) return false;
  blobs.write(name, rendering);
  blobs.remove(`${name}.next`);
  return true;
}

function nameOf(kind: string): string {
  return `views/${kind}`;
}
