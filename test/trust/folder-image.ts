/** A folder in memory, to bring it back as it was. */
import { lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from './crash-images.ts';

export function imageOf(folder: string): Image {
  const image = new Map<string, Buffer | null>();
  const look = (path: string) => {
    for (const name of readdirSync(path)) {
      const inside = join(path, name);
      const isFolder = lstatSync(inside).isDirectory();
      image.set(inside, isFolder ? null : readFileSync(inside));
      if (isFolder) look(inside);
    }
  };
  look(folder);
  return image;
}

export function layOut(root: string, image: Image): void {
  for (const name of readdirSync(root))
    rmSync(join(root, name), { recursive: true, force: true, maxRetries: 5 });
  for (const [path, content] of [...image].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (content === null) mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, content, { mode: 0o600 });
  }
}
