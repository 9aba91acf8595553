/** The project that a command is called in. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { once } from '#base/shape.ts';
import { realPath } from '#base/files/paths.ts';
import { projectOfAgent } from '#hosts/tables/names.ts';
import { STATE_FOLDER } from '#evidence/views/state-folder.ts';

/**
 * The repository around the current directory, else the nearest folder with host files; null outside any
 * project.
 */
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

export function placeNow(): string {
  return realPath(projectOfAgent(process.env) ?? process.cwd());
}

function ancestors(from: string): string[] {
  const above = dirname(from);
  return above === from ? [from] : [from, ...ancestors(above)];
}
