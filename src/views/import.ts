/**
 * A loop that another tool began, as it lies on disk, in the words of a start: what it asks for, how far it has come, which
 * files show it. Nothing is written here, and no command that such a file may name is taken from it.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { refuse, type Refusal } from '../core/refusal.ts';
import { isTaken } from './file.ts';
import { STATE_FILE } from './markdown/names.ts';
import { STATE_FOLDER } from './own-file.ts';
import { LOOP_FILES, LOOP_FOLDER } from './progress/names.ts';
import { IDLE_FILE, STACK_TOPIC } from './stack/names.ts';
import { STATE, VAULT } from './vault/names.ts';
import { foreignProgress } from './progress/import.ts';
import { foreignIdle, foreignStack, foreignTopic } from './stack/import.ts';
import { foreignVault, foreignVaultFile } from './vault/import.ts';
import type { Foreign } from './imported-loop.ts';
import type { World } from '../store/runtime.ts';

export type Findings =
  | Foreign
  | Refusal
  /** A state file of the markdown kind, which `adopt` knows by itself. */
  | { readonly ok: true; readonly markdown: string };

/** `here`: where the person stands. */
export function findForeign(path: string, here: string, world: World): Findings {
  if (basename(path) === STACK_TOPIC) return foreignTopic(here, world);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return inFolder(realpathSync(path), here, world);
  const name = basename(path);
  if (stat === undefined || !stat.isFile()) return { ok: true, markdown: path };
  const file = join(realpathSync(dirname(path)), name);
  if (Object.values<string>(LOOP_FILES).includes(name)) return foreignProgress(dirname(file), here);
  if (/^idle-loop\b.*\.md$/.test(name)) return foreignIdle(file, here, world);
  if (/\.json$/i.test(name)) return foreignJson(file, here, world);
  return { ok: true, markdown: path };
}

/** A state of the stack says what kind it is; everything else is the vault's. */
function foreignJson(file: string, here: string, world: World): Findings {
  return foreignStack(file, here, world) ?? foreignVaultFile(file, here);
}

type Candidate = readonly [path: string, read: (path: string) => Findings];

function inFolder(folder: string, here: string, world: World): Findings {
  if (isVault(folder)) return foreignVault(folder, here);
  if (basename(folder) === STATE) return foreignVault(dirname(folder), here);
  if (isLoopFolder(folder)) return foreignProgress(folder, here);
  const project = basename(folder) === STATE_FOLDER ? dirname(folder) : folder;
  const candidates: Candidate[] = [
    [STATE_FILE, (path) => ({ ok: true, markdown: path })],
    [IDLE_FILE, (path) => foreignIdle(path, project, world)],
    [LOOP_FOLDER, (path) => foreignProgress(path, project)],
    [VAULT, (path) => foreignVault(path, project)],
  ];
  const found = candidates.filter(([path]) => isTaken(join(project, path)));
  const [only, ...others] = found;
  if (only === undefined)
    return refuse(
      'no-loop',
      `${folder} holds no loop that is known here.`,
      `name a folder with ${LOOP_FILES.features} and ${LOOP_FILES.prompt}, a vault with Ralph_State, a state file, or ${STACK_TOPIC}.`,
    );
  if (others.length > 0)
    return refuse(
      'several-loops',
      `${folder} holds several: ${found.map(([path]) => path).join(', ')}.`,
      `name one: dacapo adopt ${only[0]}`,
    );
  return only[1](join(project, only[0]));
}

function isVault(folder: string): boolean {
  return isTaken(join(folder, STATE));
}

/** Seed 000's: any of its files tells, so that a half-written one is named as such. */
export function isLoopFolder(folder: string): boolean {
  return Object.values<string>(LOOP_FILES).some((name) => isTaken(join(folder, name)));
}
