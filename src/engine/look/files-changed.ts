/**
 * Which files a loop has changed. The fresh driver records each span of its own work, so there only the
 * loop's files count. In a session there is a mark of the work tree when the loop began, and sometimes one of
 * a later stop.
 */
import { existsSync } from 'node:fs';
import type { Loop } from '#law/loop.ts';
import type { ChangedFiles } from '#telling/report/report-model.ts';
import { filesBetween, filesModifiedSince, markWith } from '#evidence/git/marks/mark.ts';
import { pathsBetween } from '#evidence/git/lists.ts';
import { readWorkSpans, type WorkSpan } from '#evidence/git/points/work-spans.ts';
import { readable } from '#evidence/git/git.ts';
import { openRepository, withStore } from '#evidence/git/repository.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { treeStore } from '#store/evidence.ts';
import { ownFiles } from '#evidence/views/names.ts';

const NONE: ChangedFiles['byIteration'] = new Map();

export async function filesChanged(open: OpenLoop): Promise<ChangedFiles | null> {
  try {
    const loop = open.loop();
    if (!existsSync(loop.project)) return null;
    const store = treeStore(open);
    const workSpans = readWorkSpans(store).filter(({ iteration }) => iteration > 0);
    return workSpans.length > 0 ? await byWorkSpans(loop, store, workSpans) : await byMarks(loop, store);
  } catch {
    // Git is missing, the store can't be read: the report does without.
    return null;
  }
}

async function byWorkSpans({ project }: Loop, store: string, workSpans: readonly WorkSpan[]) {
  const opened = await openRepository(project);
  if (!opened.ok) return null;
  const repository = withStore(opened, store);
  const byIteration = new Map<number, readonly string[]>();
  for (const iteration of new Set(workSpans.map((one) => one.iteration))) {
    const own = workSpans.filter((one) => one.iteration === iteration);
    const paths = await pathsBetween(
      repository,
      own.map(({ from, to }) => [from.tree, to]),
    );
    if ('ok' in paths) return null;
    byIteration.set(iteration, [...paths].map(readable).toSorted());
  }
  const files = [...new Set([...byIteration.values()].flat())].toSorted();
  return { files, byIteration, which: 'loop' } as const;
}

async function byMarks(loop: Loop, store: string): Promise<ChangedFiles | null> {
  const { project, begunTree, circuit } = loop;
  if (begunTree === null) return null;
  if (circuit.tree === null) {
    const files = await filesModifiedSince(project, markWith(begunTree, store), store, ownFiles(loop));
    return files && { files, byIteration: NONE, which: 'since' };
  }
  const isSame = begunTree === circuit.tree;
  const files = isSame ? [] : await filesBetween(project, begunTree, circuit.tree, store);
  return files && { files, byIteration: NONE, which: 'meanwhile' };
}
