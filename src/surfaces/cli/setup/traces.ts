/** What removed loops leave in a repository: lines in `.git/info/exclude`. */
import { planOf, type Loop } from '#law/loop.ts';
import { plural } from '#law/words/phrases.ts';
import { hidingNothing } from '#evidence/git/lists.ts';
import { excludeFile, needlessLines, removeLines } from '#evidence/views/exclude.ts';
import { shownPath } from '../context.ts';

export interface Traces {
  readonly project: string;
  readonly exclude: string;
  readonly lines: readonly string[];
}

/** A work tree is removed with its loop, so this names the repository that it came from. */
export function repositoryOf(loop: Loop): string {
  return planOf(loop).worktreeOf ?? loop.project;
}

/**
 * Searches the repositories of these projects. `shown`: the loops that stay, and whose views are hidden from
 * git.
 */
export async function findTraces(projects: readonly string[], shown: readonly Loop[]): Promise<Traces[]> {
  const found: Traces[] = [];
  for (const [exclude, project] of repositoriesOf(projects)) {
    const users = shown.filter((loop) => excludeFile(repositoryOf(loop)) === exclude);
    const lines = await hidingNothing(project, needlessLines(exclude, users));
    if (lines.length > 0) found.push({ project, exclude, lines });
  }
  return found;
}

/** Keyed by exclude file, because several projects may share one repository. */
function repositoriesOf(projects: readonly string[]): Map<string, string> {
  const repositories = new Map<string, string>();
  for (const project of projects) {
    const exclude = excludeFile(project);
    if (exclude !== null && !repositories.has(exclude)) repositories.set(exclude, project);
  }
  return repositories;
}

export function removeTraces(traces: readonly Traces[]): void {
  for (const { exclude, lines } of traces) removeLines(exclude, lines);
}

export function sayTraces(traces: readonly Traces[], dryRun: boolean): string[] {
  const removed = dryRun ? 'Would remove' : 'Removed';
  return traces.map(
    ({ exclude, lines }) =>
      `${removed} ${plural(lines.length, 'line')} of Da Capo from ${shownPath(exclude)}.`,
  );
}
