/**
 * The copy of the work that a reviewer sees: read-only, and without files that a host obeys. Otherwise the
 * agent that did the work could choose its reviewer by such a file: its address, its tools, its instructions.
 */
import { globs, type Matches } from '#base/globs.ts';
import { refuse, type Refusal } from '#base/refusal.ts';
import { makeReadOnly, removeLinksOut, withExportFolder, type ExportHome } from '#base/files/exports.ts';
import { exportTree } from '#evidence/git/worktree/export.ts';
import { hostFoldersAndInstructions, SEARCH_IGNORE_FILES } from '#hosts/project/host-ground.ts';

/**
 * Names with slashes, in any folder: hosts look in the folders above and below as well. `hosts`: those that
 * review.
 */
export function matchHostFiles(hosts: readonly string[]): Matches {
  const patterns = [...hostFoldersAndInstructions(hosts), ...SEARCH_IGNORE_FILES].map(
    (pattern) => `**/${pattern}`,
  );
  return globs(patterns, true);
}

export interface GroundOrder extends ExportHome {
  readonly project: string;
  /** Those that review. */
  readonly hosts: readonly string[];
  readonly signal: AbortSignal;
}

/** `use` gets the folder of the project in the copy. */
export function withReviewGround<T>(
  { project, hosts, signal, ...home }: GroundOrder,
  use: (folder: string) => Promise<T>,
): Promise<T | Refusal> {
  const isForHosts = matchHostFiles(hosts);
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
