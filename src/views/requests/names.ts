/** Where requests to a person are files: one folder for those that are open, two for those that were answered. */
import { dirname, join, resolve } from 'node:path';
import type { Loop, LoopPart } from '../../core/loop.ts';
import type { ProjectFile } from '../view.ts';

export const PENDING = 'Pending_Approval';
export const APPROVED = 'Approved';
export const REJECTED = 'Rejected';

/** The parent of the folders, for a loop without a vault. */
export const OWN_FOLDER = '.dacapo';

const NAME = 'ask-*.md';
export const REQUEST_FILES: readonly ProjectFile[] = [PENDING, APPROVED, REJECTED].map((folder) => ({
  use: 'state',
  folder,
  name: NAME,
}));

/** The parent of the three folders: where the person said, the vault, or a folder of our own. */
export function requestFolder({
  people: { approvals },
  files: { views },
  project,
}: Pick<Loop, 'project'> & LoopPart<'people', 'approvals'> & LoopPart<'files', 'views'>): string {
  const vault = views.find(({ kind }) => kind === 'vault')?.file;
  const usual = vault === undefined ? OWN_FOLDER : dirname(dirname(vault));
  return resolve(project, approvals?.folder ?? usual);
}

export function requestFile(parent: string, folder: string, id: string): string {
  return join(parent, folder, `${id}.md`);
}
