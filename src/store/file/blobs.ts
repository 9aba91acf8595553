/** Blobs as files in the folder of their loop. */
import { join } from 'node:path';
import type { Blobs } from '../blobs.ts';
import { readIfThere } from './home.ts';
import { blobWriter } from './write-blobs.ts';

export function fileBlobs(dir: string): Blobs {
  const place = (name: string) => join(dir, name);
  return {
    place,
    read: (name) => readIfThere(place(name)),
    write: (name, content, options) => blobWriter(dir).write(name, content, options),
    keep: (name, content) => blobWriter(dir).keep(name, content),
    list: (prefix) => blobWriter(dir).list(prefix),
    remove: (name) => blobWriter(dir).remove(name),
  };
}
