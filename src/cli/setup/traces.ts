/** What removed loops leave in a repository: lines in `.git/info/exclude`, and refs of earlier versions. */
import { dirname } from 'node:path';
import type { Loop } from '../../core/loop.ts';
import { planOf } from '../../core/record/plan.ts';
import { plural } from '../../core/words/phrases.ts';
import { hidingNothing, oldPoints, removeOldPoints } from '../../git/traces.ts';
import { excludeFile, needlessLines, removeLines } from '../../views/exclude.ts';
import { shownPath } from '../project.ts';
import { when } from '../terminal/terminal.ts';

export interface Traces {
  readonly project: string;
  readonly exclude: string;
  readonly lines: readonly string[];
  readonly refs: readonly string[];
}

/** A work tree is removed with its loop, so this names the repository that it came from. */
export function repositoryOf(loop: Loop): string {
  return planOf(loop).worktreeOf ?? loop.project;
}

/** Searches the repositories of these projects. `staying`: the loops that are not removed. */
export async function findTraces(
  projects: readonly string[],
  staying: readonly Loop[],
  /** Those of them whose views are hidden from git: all of them, unless the caller says otherwise. */
  shown: readonly Loop[] = staying,
): Promise<Traces[]> {
  const known = new Set(staying.map(({ id }) => id));
  const found: Traces[] = [];
  for (const [exclude, project] of repositoriesOf(projects)) {
    const users = shown.filter((loop) => excludeFile(repositoryOf(loop)) === exclude);
    const lines = await hidingNothing(project, needlessLines(exclude, users));
    const refs = await oldPoints(project, known);
    if (lines.length + refs.length > 0) found.push({ project, exclude, lines, refs });
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

export async function removeTraces(traces: readonly Traces[]): Promise<void> {
  for (const { project, exclude, lines, refs } of traces) {
    if (lines.length > 0) removeLines(exclude, lines);
    await removeOldPoints(project, refs);
  }
}

export function sayTraces(traces: readonly Traces[], dryRun: boolean): string[] {
  const removed = dryRun ? 'Would remove' : 'Removed';
  return traces.flatMap(({ exclude, lines, refs }) => [
    ...when(
      lines.length > 0,
      `${removed} ${plural(lines.length, 'line')} of Da Capo from ${shownPath(exclude)}.`,
    ),
    ...when(
      refs.length > 0,
      `${removed} ${plural(refs.length, 'old point')} (refs/dacapo) from ${shownPath(dirname(dirname(exclude)))}.`,
    ),
  ]);
}
