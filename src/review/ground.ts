/**
 * The ground of a review: a copy of the work that nobody can write to, and that says nothing to a host.
 * Whoever did the work could otherwise choose who reviews it, by a file that the reviewer's host obeys: its
 * address, its tools, its instructions.
 */
import { globs, type Matches } from '../core/globs.ts';
import { refuse, type Refusal } from '../core/refusal.ts';
import { makeReadOnly, removeLinksOut, withExportFolder, type ExportHome } from '../files/exports.ts';
import { exportTree } from '../git/worktree/export.ts';
import { hostFoldersAndInstructions, SEARCH_IGNORE_FILES } from '../hosts/host-ground.ts';

/** Names with slashes, in any folder: hosts look in the folders above and below as well. */
export function hostFiles(): Matches {
  const patterns = [...hostFoldersAndInstructions(), ...SEARCH_IGNORE_FILES].map(
    (pattern) => `**/${pattern}`,
  );
  return globs(patterns, true);
}

export interface GroundOrder extends ExportHome {
  readonly project: string;
  readonly signal: AbortSignal;
}

/** `use` gets the folder of the project in the copy. */
export function withReviewGround<T>(
  { project, signal, ...home }: GroundOrder,
  use: (folder: string) => Promise<T>,
): Promise<T | Refusal> {
  const isForHosts = hostFiles();
  return withExportFolder(home, async (to) => {
    const isWanted = (path: string) => !isForHosts(path);
    const exported = await exportTree({ project, from: { is: 'work-tree' }, to, isWanted, signal });
    if (!exported.ok) return exported;
    removeLinksOut(to);
    makeReadOnly(to);
    if (signal.aborted) return refuse('aborted', 'The review was stopped.', 'Run the command again.');
    return use(exported.project);
  });
}
