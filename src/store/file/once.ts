/** `announced/<key>`: what has been said once. Empty files; prune takes them away. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from '../../core/hash.ts';
import type { Once } from '../store.ts';
import { isTaken, makePrivateFolder, type Home } from './home.ts';

export function fileOnce({ announced }: Home): Once {
  const pathOf = (about: string) => join(announced, hash(about));
  return {
    isNews: (about) => {
      makePrivateFolder(announced);
      try {
        writeFileSync(pathOf(about), '', { flag: 'wx', mode: 0o600 });
        return true;
      } catch (error) {
        // What can't be noted is said again at worst; it must not go unsaid.
        return !isTaken(error);
      }
    },
    forget: (about) => rmSync(pathOf(about), { force: true }),
  };
}
