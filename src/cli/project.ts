/** Which project the person means, standing where they stand. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { projectOfAgent } from '../hosts/agent-shell.ts';
import { STATE_FOLDER } from '../hosts/names.ts';
import { realPath } from '../store/real-path.ts';

/** The folder of a new loop. The host names its project by the directory it is started in, so that is what we name. */
export function here(): string {
  return realPath(process.cwd());
}

/** The project that the person stands in; else this place itself. */
export function projectRoot(): string {
  return enclosingProject() ?? placeNow();
}

/** The repository that holds this place; else the nearest folder where the host keeps files; null: this is in no project. */
export function enclosingProject(): string | null {
  const from = placeNow();
  const folders = ancestors(from);
  // In the home folder the host keeps files of its own, which make no project of a whole home.
  const home = realPath(homedir());
  return (
    folders.find((folder) => existsSync(join(folder, '.git'))) ??
    folders.find((folder) => folder !== home && existsSync(join(folder, STATE_FOLDER))) ??
    null
  );
}

function placeNow(): string {
  return realPath(projectOfAgent(process.env) ?? process.cwd());
}

/** As a person would type it from here. */
export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  if (near === '') return '.';
  return near.startsWith('..') ? path : near;
}

function ancestors(from: string): string[] {
  const above = dirname(from);
  return above === from ? [from] : [from, ...ancestors(above)];
}
