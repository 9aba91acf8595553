/**
 * Loops of other tools that wait in a project, in the formats of our views: a loop folder, a vault, an idle-loop file. None
 * of them starts a loop by itself, so `dacapo doctor` and `dacapo init` say that they are there, and what to type.
 */
import { join, resolve } from 'node:path';
import type { Loop } from '../core/loop.ts';
import type { Environment } from '../hosts/arrival.ts';
import { isTaken } from './file.ts';
import { isStateFile } from './names.ts';
import { LOOP_FILES, loopFolderOf } from './progress/names.ts';
import { IDLE_FILE } from './stack/names.ts';
import { STATE, VAULT } from './vault/names.ts';
import { namesIn, seenFromFolder } from '../files/paths.ts';

export interface WaitingState {
  /** Relative to the project where it lies inside. */
  readonly file: string;
  /** What to do with it: the words after `dacapo`. */
  readonly command: readonly string[];
}

/** `known`: the loops of this project. What one of them shows, or has adopted, does not wait any more. */
export function waitingStates(project: string, env: Environment, known: readonly Loop[]): WaitingState[] {
  const shown = new Set(known.flatMap(({ views }) => views.map(({ file }) => resolve(project, file))));
  const folder = loopFolderOf(project, env);
  const isReady =
    [LOOP_FILES.prompt, LOOP_FILES.features].every((name) => isTaken(join(folder, name))) &&
    !shown.has(join(folder, LOOP_FILES.progress));
  const vault = join(project, VAULT, STATE);
  const states = namesIn(vault).filter((name) => isStateFile('vault', name) && !shown.has(join(vault, name)));
  const isIdle = isTaken(join(project, IDLE_FILE)) && !shown.has(join(project, IDLE_FILE));
  return [
    ...(isReady ? [state(project, folder, 'ready')] : []),
    ...states.map((name) => state(project, join(vault, name), 'adopt')),
    ...(isIdle ? [state(project, join(project, IDLE_FILE), 'adopt')] : []),
  ];
}

function state(project: string, path: string, command: string): WaitingState {
  const file = seenFromFolder(project, path);
  return { file, command: [command, file] };
}
