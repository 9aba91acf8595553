/** The files of the markdown view. */
import { sep } from 'node:path';
import { STATE_FOLDER } from '../../hosts/names.ts';
import type { OwnFile } from '../file-table.ts';

/** Where the first loop of a project shows itself, and where a person may write one by hand. */
export const STATE_FILE = `${STATE_FOLDER}${sep}ralph-loop.local.md`;

/** For the other loops of the project. */
export function stateFileOf(id: string): string {
  return `${STATE_FOLDER}${sep}ralph-loop.${id}.local.md`;
}

export const MARKDOWN_FILES: readonly OwnFile[] = [
  { use: 'state', folder: STATE_FOLDER, name: 'ralph-loop*.local.md' },
];
