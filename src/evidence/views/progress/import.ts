/** A loop folder: its prompt, its feature list, and how far its progress file says it has come. */
import { basename, dirname, join, sep } from 'node:path';
import { refuse, type Refusal } from '#base/refusal.ts';
import type { Attempt } from '#base/shape.ts';
import { readFeatureFile } from '#evidence/lists/file.ts';
import { seenFromFolder } from '#base/files/paths.ts';
import { readRegular } from '#base/files/read.ts';
import { existsAt } from '../file.ts';
import { LOOP_FILES, LOOP_FOLDER } from '../places.ts';
import { PROGRESS_ITERATIONS, readProgressLines, type ProgressLines } from './format.ts';
import { AGAIN, FOREIGN_STATE, projectOf, refuseNoneLeft, sayNoPrompt, type Imported } from '../imported.ts';

export function isLoopFile(path: string): boolean {
  return Object.values<string>(LOOP_FILES).includes(basename(path));
}

/** Any one of its files is enough, so that we can report a half-written folder. */
export function isLoopFolder(folder: string): boolean {
  return Object.values<string>(LOOP_FILES).some((name) => existsAt(join(folder, name)));
}

export function importProgress(path: string, here: string): Imported | Refusal {
  const folder = isLoopFile(path) ? dirname(path) : path;
  const project = projectOf(folder, here, projectAbove(folder));
  const prompt = readRegular(join(folder, LOOP_FILES.prompt));
  if (prompt.is !== 'content' || prompt.content.trim() === '')
    return refuse(
      'no-prompt-file',
      `${folder} has no prompt: ${LOOP_FILES.prompt} ${sayNoPrompt(prompt)}.`,
      `write the task into ${LOOP_FILES.prompt}.`,
    );
  const features = seenFromFolder(project, join(folder, LOOP_FILES.features));
  const list = readFeatureFile(features, project);
  if (!list.ok) return refuse('no-list', `${list.why}.`, AGAIN);
  const progress = readRegular(join(folder, LOOP_FILES.progress));
  if (progress.is === 'unreadable')
    return refuse('no-progress', `${LOOP_FILES.progress} can't be read (${progress.why}).`, AGAIN);
  const lines: Attempt<ProgressLines> =
    progress.is === 'content'
      ? readProgressLines(Buffer.from(progress.bytes).toString('latin1'))
      : { ok: true, status: null, iteration: null, iterations: null };
  if (!lines.ok)
    return refuse('bad-progress', `${LOOP_FILES.progress} is not progress: ${lines.why}.`, AGAIN);
  const ended = whyEnded(lines);
  if (ended !== null) return ended;
  return {
    ...FOREIGN_STATE,
    project,
    prompt: prompt.content,
    fields: { features, maxIterations: lines.iterations ?? PROGRESS_ITERATIONS, view: 'progress' },
    imported: {
      passes: passesOf(lines),
      places: { loopFolder: folder },
      copies:
        progress.is === 'content' ? [{ name: `adopted-${LOOP_FILES.progress}`, bytes: progress.bytes }] : [],
    },
  };
}

function projectAbove(folder: string): string | null {
  const [parent, place] = [dirname(folder), join(sep, dirname(LOOP_FOLDER))];
  return parent.endsWith(place) ? parent.slice(0, -place.length) : null;
}

/** `Iteration` is the current pass; at the limit it is the one that has ended. */
function passesOf({ status, iteration }: ProgressLines): number {
  const shown = iteration ?? 1;
  return status === 'REACHED_LIMIT' ? shown : Math.max(0, shown - 1);
}

function whyEnded(lines: ProgressLines): Refusal | null {
  const limit = lines.iterations ?? PROGRESS_ITERATIONS;
  if (lines.status === 'COMPLETE')
    return refuse(
      'ended',
      `${LOOP_FILES.progress} says Status: COMPLETE.`,
      'where there is more to do, write Status: IN_PROGRESS and try again.',
    );
  if (limit === 'unlimited' || passesOf(lines) < limit) return null;
  return refuseNoneLeft(LOOP_FILES.progress, lines.iteration ?? 1, limit, 'Max Iterations');
}
