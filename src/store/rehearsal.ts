/**
 * A loop as a rehearsal sees it: what is read comes from the store, and what is written is forgotten. So anybody may run
 * the steps of a hearing to learn how a stop would be judged.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fold } from '../core/fold/index.ts';
import { makeScratch } from '../files/scratch.ts';
import { numbered, type Blobs, type OpenLoop, isListed } from './open-loop.ts';

/** Git's objects are named by their content, so a mark of a rehearsal changes nothing. Earlier marks are found there. */
const SHARED = 'git';

export interface Rehearsal {
  readonly open: OpenLoop;
  /** Removes what other programs wrote. */
  readonly end: () => void;
}

/** The loop as it is now. What happens to it meanwhile is not seen. `open` stays open. */
export function rehearse(open: OpenLoop): Rehearsal {
  let state = open.look();
  let scratch: string | null = null;
  const folder = (name: string) => {
    if (name === SHARED) return open.folder(name);
    scratch ??= makeScratch('rehearsal');
    const path = join(scratch, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  return {
    open: {
      journal: { ...open.journal, append: () => 0, settle: () => undefined },
      blobs: forgetful(open.blobs),
      folder,
      loop: () => state,
      look: () => state,
      write: (event) => (state = fold(state, event) ?? state),
      broken: () => open.broken(),
      keep: () => undefined,
      close: () => undefined,
    },
    end: () => {
      if (scratch !== null) rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** Null: removed. */
function forgetful(stored: Blobs): Blobs {
  const written = new Map<string, string | Uint8Array | null>();
  const isThere = (name: string) =>
    (written.get(name) ?? (written.has(name) ? null : stored.read(name))) !== null;
  return {
    read: (name) => {
      const content = written.get(name);
      if (content === undefined) return stored.read(name);
      return content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : content;
    },
    write: (name, content) => void written.set(name, content),
    keep: (name, content) => {
      let copy = 1;
      while (isThere(numbered(name, copy))) copy++;
      written.set(numbered(name, copy), content);
      return numbered(name, copy);
    },
    list: (prefix) =>
      [...new Set([...stored.list(prefix), ...[...written.keys()].filter((name) => isListed(prefix, name))])]
        .filter(isThere)
        .sort(),
    remove: (name) => void written.set(name, null),
    place: stored.place,
  };
}
