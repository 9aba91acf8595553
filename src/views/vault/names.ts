/** The files of the vault view: one folder for loops at work, one for those that have ended. */
import { join } from 'node:path';
import type { ProjectFile } from '../view.ts';

export const VAULT = 'AI_Employee_Vault';
export const STATE = 'Ralph_State';
const HISTORY = 'Ralph_History';

export function vaultFile(vault: string, id: string): string {
  return join(vault, STATE, `${id}.json`);
}

export function historyFile(vault: string, id: string): string {
  return join(vault, HISTORY, `${id}.json`);
}

export const VAULT_FILES: readonly ProjectFile[] = [
  { use: 'state', folder: STATE, name: 'RALPH_*.json' },
  { use: 'state', folder: HISTORY, name: 'RALPH_*.json' },
];
