/** Where the stack view stands: the topic of `jwz`, or its fallback files. */
import { STATE_FOLDER } from '../state-folder.ts';
import type { ProjectFile } from '../view.ts';

export const STACK_TOPIC = 'loop:current';
export const IDLE_FILE = `${STATE_FOLDER}/idle-loop.local.md`;

/** For the other loops of the project. */
export function idleFileOf(id: string): string {
  return `${STATE_FOLDER}/idle-loop.${id}.local.md`;
}

export const STACK_FILES: readonly ProjectFile[] = [
  { use: 'state', folder: STATE_FOLDER, name: 'idle-loop*.local.md' },
];
