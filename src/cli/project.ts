/** Which project the person means, standing where they stand. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { realPath } from '../store/real-path.ts';

/** The folder of a new loop. The host names its project by the directory it is started in, so that is what we name. */
export function here(): string {
  return realPath(process.cwd());
}

/** The project that the person stands in; else this place itself. */
export function projectRoot(): string {
  return enclosingProject() ?? placeNow();
}

/** The repository that holds this place; else the nearest folder with a `.claude`; null: this is in no project. */
export function enclosingProject(): string | null {
  const from = placeNow();
  const folders = ancestors(from);
  // ~/.claude is the host's own folder, and makes no project of a whole home.
  const home = realPath(homedir());
  return (
    folders.find((folder) => existsSync(join(folder, '.git'))) ??
    folders.find((folder) => folder !== home && existsSync(join(folder, '.claude'))) ??
    null
  );
}

function placeNow(): string {
  return realPath(process.env['CLAUDE_PROJECT_DIR'] || process.cwd());
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
