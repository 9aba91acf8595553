/**
 * Where each view has its files, as people and other tools expect them. `names.ts` is the table of all of
 * them.
 */
import { dirname, join, resolve, sep } from 'node:path';
import type { Loop } from '#law/loop.ts';
import type { Environment } from '#hosts/port/arrival.ts';
import { STATE_FOLDER } from './state-folder.ts';

/** The markdown view of the first loop of a project. A person may also write this file by hand. */
export const STATE_FILE = `${STATE_FOLDER}${sep}ralph-loop.local.md`;

/** For the other loops of the project. */
export function stateFileOf(id: string): string {
  return `${STATE_FOLDER}${sep}ralph-loop.${id}.local.md`;
}

/** The loop folder where `RALPH_LOOP_DIR` names no other. */
export const LOOP_FOLDER = /* @__PURE__ */ STATE_FOLDER.concat('/data/ralph-loops/current');

export function loopFolderOf(project: string, env: Environment): string {
  return resolve(project, env['RALPH_LOOP_DIR'] || LOOP_FOLDER);
}

export const LOOP_FILES = {
  progress: 'progress.txt',
  features: 'feature_list.json',
  prompt: 'RALPH_PROMPT.md',
  log: 'hook.log',
} as const;

/** A vault has one folder for loops at work, and one for those that have ended. */
export const VAULT = 'AI_Employee_Vault';
export const STATE = 'Ralph_State';
export const HISTORY = 'Ralph_History';

export function vaultFile(vault: string, id: string): string {
  return join(vault, STATE, `${id}.json`);
}

export function historyFile(vault: string, id: string): string {
  return join(vault, HISTORY, `${id}.json`);
}

/** The stack view is the topic of `jwz`, or its fallback file. */
export const STACK_TOPIC = 'loop:current';
export const IDLE_FILE = /* @__PURE__ */ STATE_FOLDER.concat('/idle-loop.local.md');

/** For the other loops of the project. */
export function idleFileOf(id: string): string {
  return `${STATE_FOLDER}/idle-loop.${id}.local.md`;
}

/** Requests to a person: one folder for those that are open, two for those that were answered. */
export const PENDING = 'Pending_Approval';
export const APPROVED = 'Approved';
export const REJECTED = 'Rejected';

export const OWN_FOLDER = '.dacapo';

/** The parent of the three folders: where the person said, the vault, or a folder of our own. */
export function requestFolder({ people, files, project }: Loop): string {
  const vault = files.views.find(({ kind }) => kind === 'vault')?.file;
  const usual = vault === undefined ? OWN_FOLDER : dirname(dirname(vault));
  return resolve(project, people.approvals?.folder ?? usual);
}

export function requestFile(parent: string, folder: string, id: string): string {
  return join(parent, folder, `${id}.md`);
}
