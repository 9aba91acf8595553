/** Imports a vault, or one of its state files. Any one of its gates is enough. */
import { basename, dirname, join } from 'node:path';
import { refuse, type Refusal } from '#base/refusal.ts';
import { isId } from '#base/shape.ts';
import { readRegular } from '#base/files/read.ts';
import { existsAt } from '../file.ts';
import { isStateFile } from '../names.ts';
import { ADOPTED_STATE, readVaultFile, type VaultState } from './format.ts';
import { STATE } from '../places.ts';
import { CORRECT_FILE, FOREIGN_STATE, projectOf, refuseUnreadable, refuseNoneLeft } from '../imported.ts';
import type { Imported } from '../imported.ts';
import { namesIn, seenFromFolder } from '#base/files/paths.ts';

export function isVault(folder: string): boolean {
  return basename(folder) === STATE || existsAt(join(folder, STATE));
}

/** A JSON file among the states, or one with the keys that only this format has. */
export function isVaultState(file: string): boolean {
  if (!/\.json$/i.test(file)) return false;
  if (basename(dirname(file)) === STATE) return true;
  const found = readRegular(file);
  return found.is === 'content' && /"(?:loop_id|current_iteration)"\s*:/.test(found.content);
}

export function importVault(path: string, here: string): Imported | Refusal {
  if (/\.json$/i.test(path)) return importState(path, here);
  return importOnly(basename(path) === STATE ? dirname(path) : path, here);
}

function importOnly(vault: string, here: string): Imported | Refusal {
  const folder = join(vault, STATE);
  const files = namesIn(folder)
    .filter((name) => isStateFile('vault', name))
    .map((name) => join(folder, name));
  const open = files.filter((file) => {
    const found = readRegular(file);
    const state = found.is === 'content' ? readVaultFile(found.content) : null;
    // The person may mean a file that we can't read, so we name it and do not skip it.
    return state === null || !state.ok || state.status === 'pending' || state.status === 'running';
  });
  const [only, ...others] = open.length === 0 && files.length === 1 ? files : open;
  if (only === undefined)
    return refuse(
      'no-loop',
      `${folder} holds ${files.length === 0 ? 'no state file (RALPH_*.json)' : 'only loops that are over'}.`,
      'name the state file that is meant, or start a new loop: dacapo ready "PROMPT" --view vault',
    );
  if (others.length > 0)
    return refuse(
      'several-loops',
      `${folder} holds several: ${open.map((file) => basename(file)).join(', ')}.`,
      `name one: dacapo adopt ${only}`,
    );
  return importState(only, here);
}

function importState(file: string, here: string): Imported | Refusal {
  const found = readRegular(file);
  if (found.is !== 'content') return refuseUnreadable(file, found);
  const state = readVaultFile(found.content);
  if (!state.ok) return refuse('no-loop', `${file} is not a loop: ${state.why}.`, CORRECT_FILE);
  const ended = whyNot(state, file);
  if (ended !== null) return ended;
  const inVault = basename(dirname(file)) === STATE;
  const vault = dirname(dirname(file));
  const project = projectOf(file, here, inVault ? dirname(vault) : null);
  const { id, promise, moved } = state;
  return {
    ...FOREIGN_STATE,
    project,
    prompt: state.prompt,
    fields: {
      maxIterations: state.limit,
      require: 'any',
      ...(promise !== null && { promise }),
      ...(moved !== null && { watchFile: moved.file, doneFolder: moved.folder }),
      view: 'vault',
    },
    imported: {
      ...(id !== null && isId(id) && id.startsWith('RALPH_') ? { id } : {}),
      passes: Math.max(0, state.iteration - 1),
      // A state file elsewhere is only read.
      places: inVault ? { files: { vault: seenFromFolder(project, file) } } : {},
      copies: [{ name: ADOPTED_STATE, bytes: found.bytes }],
    },
    known: id,
  };
}

function whyNot({ status, iteration, limit }: VaultState, file: string): Refusal | null {
  if (status === 'paused_awaiting_approval')
    return refuse(
      'awaits-approval',
      `${file} waits for an approval.`,
      'decide that first; then set its status to running and try again.',
    );
  if (status !== 'pending' && status !== 'running')
    return refuse(
      'ended',
      `${file} describes a loop that is over (${status}).`,
      'where there is more to do, set its status to pending and try again.',
    );
  if (limit === 'unlimited' || iteration <= limit) return null;
  return refuseNoneLeft(file, iteration, limit, 'max_iterations');
}
