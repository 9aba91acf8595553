/** A loop that another tool began, in the words of a start. */
import { isAbsolute, relative, sep } from 'node:path';
import type { Begun } from './begun.ts';

export interface Foreign {
  readonly ok: true;
  readonly project: string;
  readonly prompt: string;
  /** Flags of the start command. */
  readonly flags: readonly string[];
  readonly begun: Begun;
  /** A loop of ours that this may be already: the id it carries. */
  readonly known: string | null;
  /** What the person should hear. */
  readonly notes: readonly string[];
}

/** Where the person stands, if the path lies below it; else what the layout of the path says. */
export function projectOf(path: string, here: string, layout: string | null): string {
  const below = path === here || path.startsWith(here.endsWith(sep) ? here : here + sep);
  return below ? here : (layout ?? here);
}

/** As a person would write it. */
export function seenFrom(project: string, path: string): string {
  const near = relative(project, path);
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}
