/** The files of the markdown view. */
import { sep } from 'node:path';
import { STATE_FOLDER } from '../state-folder.ts';
import type { ProjectFile } from '../view.ts';

/** The view of the first loop of a project. A person may also write this file by hand. */
export const STATE_FILE = `${STATE_FOLDER}${sep}ralph-loop.local.md`;

/** For the other loops of the project. */
export function stateFileOf(id: string): string {
  return `${STATE_FOLDER}${sep}ralph-loop.${id}.local.md`;
}

export const MARKDOWN_FILES: readonly ProjectFile[] = [
  { use: 'state', folder: STATE_FOLDER, name: 'ralph-loop*.local.md' },
];
