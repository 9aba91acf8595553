/**
 * What views keep beside the journal. `views/<kind>` is the last rendering, so that we can distinguish a person's edit from
 * our own text. The rendering that is about to be written is kept too: a process that dies in between leaves either of
 * the two in the view.
 */
import { keepEvidence, readEvidence } from '../store/evidence.ts';
import type { OpenLoop } from '../store/open-loop.ts';

export interface Renderings {
  /** The newest that was written completely; null where none is known. */
  readonly last: string | null;
  readonly isOurs: (content: string) => boolean;
}

export function renderingsOf(open: OpenLoop, kind: string): Renderings {
  const [last, next] = [readKept(open, kind), readKept(open, `${kind}.next`)];
  return { last: last ?? next, isOurs: (content) => content === last || content === next };
}

/** `write` puts the rendering into the view; false: the view was left unchanged. */
export function keepRendering(
  open: OpenLoop,
  kind: string,
  rendering: string,
  write: () => boolean,
): boolean {
  keep(open, `${kind}.next`, rendering);
  if (!write()) return false;
  keep(open, kind, rendering);
  open.blobs.remove(nameOf(`${kind}.next`));
  return true;
}

/** Other data that a view keeps there to save time. */
export function readKept(open: OpenLoop, name: string): string | null {
  return open.blobs.read(nameOf(name));
}

export function keep(open: OpenLoop, name: string, content: string): void {
  open.blobs.write(nameOf(name), content);
}

/** Copies what a person wrote before it is replaced. Returns where the copy is. */
export function keepCopy(open: OpenLoop, name: string, content: string | Uint8Array): string {
  return keepEvidence(open.blobs, name, content);
}

export function readCopy(open: OpenLoop, name: string): string | null {
  return readEvidence(open.blobs, name);
}

function nameOf(name: string): string {
  return `views/${name}`;
}
