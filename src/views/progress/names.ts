/** The files of the progress view, and those of the loop folder around it. */
import { resolve } from 'node:path';
import type { Environment } from '../../hosts/arrival.ts';
import { STATE_FOLDER } from '../state-folder.ts';
import type { ProjectFile } from '../view.ts';

/** The loop folder where `RALPH_LOOP_DIR` names no other. */
export const LOOP_FOLDER = `${STATE_FOLDER}/data/ralph-loops/current`;

export function loopFolderOf(project: string, env: Environment): string {
  return resolve(project, env['RALPH_LOOP_DIR'] || LOOP_FOLDER);
}

export const LOOP_FILES = {
  progress: 'progress.txt',
  features: 'feature_list.json',
  prompt: 'RALPH_PROMPT.md',
  log: 'hook.log',
} as const;

/** Without the feature list and the prompt: those belong to the project, and many people commit them. */
export const PROGRESS_FILES: readonly ProjectFile[] = [
  {
    use: 'shared',
    folder: null,
    name: LOOP_FILES.progress,
    ownLines: /\b(?:Status|Iteration|Max Iterations):/,
  },
  { use: 'aside', folder: null, name: `${LOOP_FILES.log}*` },
];
