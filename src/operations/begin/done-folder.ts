/** Refuses a start whose watched file could never arrive, because its done folder is something else. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '../../core/thrown.ts';
import { refuse, type Refusal } from '../../core/refusal.ts';
import type { StartRequest } from '../../flags/arguments.ts';

/** Returns null if there is no done folder, or if it is one. The agent may make one that is not there yet. */
export function refuseDoneFolder(
  { doneFolder }: Pick<StartRequest, 'doneFolder'>,
  project: string,
): Refusal | null {
  if (doneFolder === null || mayBeFolder(resolve(project, doneFolder))) return null;
  return refuse(
    'no-folder',
    `${doneFolder} is no folder, so the watched file can't arrive there.`,
    'Name a folder: --done-folder DIR.',
  );
}

/** What can't be looked at is not refused: every stop says that it can't read the folder. */
function mayBeFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true;
  } catch (error) {
    return codeOf(error) !== 'ENOTDIR';
  }
}
