import { numbered, type Blobs } from '../blobs.ts';

export function memoryBlobs(
  contents: Map<string, string | Uint8Array>,
  placeOf: (name: string) => string,
): Blobs {
  return {
    read: (name) => {
      const content = contents.get(name);
      if (content === undefined) return null;
      return typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
    },
    write: (name, content) => void contents.set(name, content),
    keep: (name, content) => {
      let copy = 1;
      while (contents.has(numbered(name, copy))) copy++;
      const free = numbered(name, copy);
      contents.set(free, content);
      return free;
    },
    list: (prefix) => [...contents.keys()].filter((name) => isIn(prefix, name)).sort(),
    remove: (name) => void contents.delete(name),
    place: placeOf,
  };
}

/** As in the files: what is in a folder further below has another prefix. */
function isIn(prefix: string, name: string): boolean {
  return name.startsWith(prefix) && !name.slice(prefix.length).includes('/');
}
