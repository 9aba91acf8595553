/**
 * Questions about paths. A project may ship links: nothing of ours is written through one that leads out of
 * it.
 */
import { accessSync, constants, lstatSync, readdirSync, realpathSync, rmdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { attempt } from '../shape.ts';

/**
 * A path below the folder, by its name, lies elsewhere or would be made elsewhere. A link to nothing leads
 * out too.
 */
export function leadsOut(path: string, folder: string): boolean {
  const named = resolve(path);
  // What a person names outside is theirs to name.
  if (!isIn(named, resolve(folder))) return false;
  for (let at = named; ; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined && dirname(at) !== at) continue;
    const [real, around] = [realPathOrNull(at), realPathOrNull(folder)];
    return real === null || around === null || !isIn(real, around);
  }
}

/** Throws, with words for the person. */
export function refuseToLeave(path: string, folder: string): void {
  if (leadsOut(path, folder))
    throw new Error(`${path} leads out of ${folder} by a link: nothing is written there`);
}

/** The folder itself, or a path below it. Both are absolute, without `..`. */
export function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The folder or one below it, wherever links lead: a loop in a folder of a project is one of the project. */
export function liesIn(root: string, folder: string): boolean {
  return isIn(realPath(folder), root);
}

/** The path as seen from the folder, if it lies inside; otherwise the path itself. */
export function seenFromFolder(folder: string, path: string): string {
  return isIn(resolve(path), resolve(folder)) ? relative(folder, path) : path;
}

/** A host may name a folder by a link to it. A path that no longer exists is compared as it was written. */
export function realPath(path: string): string {
  return realPathOrNull(path) ?? resolve(path);
}

export function realPathOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** A path that can't be looked at (too long, below a file, another user's) is not a file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

export function isProgram(path: string): boolean {
  if (!isFile(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where this program is found, as a shell would find it; null: it is not there. */
export function programOnPath(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

/** What Windows puts behind a name to find a program. The last two need its shell. */
const WINDOWS_ENDINGS = ['.com', '.exe', '.bat', '.cmd'];

/** A program as a person names it, by a path or as a word on the PATH; null: it is not there. */
export function namedProgram(
  word: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): string | null {
  const find = (name: string) => {
    if (basename(name) === name) return programOnPath(name, env);
    return isProgram(resolve(name)) ? resolve(name) : null;
  };
  // npm puts a script for a POSIX shell beside each `.cmd`, by the bare name.
  const isWhole = platform !== 'win32' || WINDOWS_ENDINGS.includes(extname(word).toLowerCase());
  const names = isWhole ? [word] : WINDOWS_ENDINGS.map((ending) => word + ending);
  return names.map(find).find((found) => found !== null) ?? null;
}

export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder).sort(), []);
}

/** Removes folders that we made, as long as nobody has put anything there. Each comes before those in it. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // The folder is not empty, or already gone. Leave it.
    }
  }
}
