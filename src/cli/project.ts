/** Finds the project that the person means, from the current directory, and which loops can be meant there. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { once } from '../core/shape.ts';
import type { SettingsPlace } from '../hosts/headless.ts';
import { projectOfAgent } from '../hosts/names.ts';
import type { Choice } from '../operations/look/find.ts';
import { STATE_FOLDER } from '../views/state-folder.ts';
import { realPath } from '../files/paths.ts';

/** The folder of a new loop. The host names its project by the directory it is started in, so we do the same. */
export function here(): string {
  return realPath(process.cwd());
}

/** Where the settings of the host for a project are found. */
export function placeOf(project: string): SettingsPlace {
  return { project, env: process.env, platform: process.platform };
}

/** The project around the current directory; otherwise that directory itself. */
export function projectRoot(): string {
  return enclosingProject() ?? placeNow();
}

/** The repository around the current directory, else the nearest folder with host files; null outside any project. */
export const enclosingProject = once((): string | null => {
  const folders = ancestors(placeNow());
  // The host keeps its own files in the home folder. They do not make the home a project.
  const home = realPath(homedir());
  return (
    folders.find((folder) => existsSync(join(folder, '.git'))) ??
    folders.find((folder) => folder !== home && existsSync(join(folder, STATE_FOLDER))) ??
    null
  );
});

/** Without an id, a loop of the current project. */
export function choiceOf(id: string | undefined): Choice {
  const project = enclosingProject();
  return { id, root: project ?? projectRoot(), isOutside: project === null };
}

function placeNow(): string {
  return realPath(projectOfAgent(process.env) ?? process.cwd());
}

export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  if (near === '') return '.';
  return near.startsWith('..') ? path : near;
}

/** With `~` for the home folder, as a shell reads it. A path with other characters may need quotes, where `~` is not a folder. */
export function shortPath(path: string): string {
  const near = relative(homedir(), path);
  return near === '' || near.startsWith('..') || !/^[\w./@+-]+$/.test(near) ? path : `~/${near}`;
}

function ancestors(from: string): string[] {
  const above = dirname(from);
  return above === from ? [from] : [from, ...ancestors(above)];
}
