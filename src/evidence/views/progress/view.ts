/**
 * The progress view: `progress.txt` is the agent's own file, and three lines of it are ours. Every other byte
 * stays, even if the agent writes at the same moment. If the file is gone, we make it again as long as its
 * folder exists.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hasEnded } from '#law/loop.ts';
import { keepRendering, readRenderings, reportViewError } from '../file-view.ts';
import { keepEvidence } from '#store/evidence.ts';
import type { OpenLoop } from '#store/open-loop.ts';
import { refuseToLeave, seenFromFolder } from '#base/files/paths.ts';
import { readRegular } from '#base/files/read.ts';
import { liesStill, makeViewFile, swapViewFile } from '../file.ts';
import { readProgress, renderProgress } from './format.ts';
import { LOOP_FILES, LOOP_FOLDER, loopFolderOf } from '../places.ts';
import { importProgress, isLoopFile, isLoopFolder } from './import.ts';
import type { ImportPlaces } from '../imported.ts';
import type { Settled, View } from '../view.ts';
import type { Runtime } from '#store/runtime.ts';

/** We retry when another writer was faster. An agent writes now and then, never five times in a row. */
const MAX_WRITE_TRIES = 5;

export const progressView: View = {
  kind: 'progress',
  make,
  read,
  render,
  restore: () => null,
  import: {
    place: LOOP_FOLDER,
    knows: ({ path, is }) => (is === 'folder' ? isLoopFolder(path) : is === 'file' && isLoopFile(path)),
    from: importProgress,
  },
};

/** Relative to the project where it lies inside. */
export function progressFile(project: string, { loopFolder }: Partial<ImportPlaces>, runtime: Runtime) {
  const folder = loopFolder ?? loopFolderOf(project, runtime.env);
  return seenFromFolder(project, resolve(project, folder, LOOP_FILES.progress));
}

function make(open: OpenLoop, places: Partial<ImportPlaces>, runtime: Runtime): string {
  const { project } = open.loop();
  const file = progressFile(project, places, runtime);
  const path = resolve(project, file);
  refuseToLeave(path, project);
  mkdirSync(dirname(path), { recursive: true });
  render(open, file, runtime);
  return file;
}

function read(open: OpenLoop, file: string, runtime: Runtime): Settled {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const found = readRegular(path);
  if (found.is !== 'content') return 'settled';
  const { last } = readRenderings(open, 'progress');
  const reading = readProgress(latin1(found.bytes), loop, last);
  if (reading.is === 'untouched') return 'settled';
  if (!liesStill(path, found, Date.parse(runtime.now()))) return 'unsettled';
  // An agent may damage one of our lines while it edits its notes. That means nothing, and we write the line
  // again.
  if (reading.is === 'edited') {
    const { iterations } = reading;
    open.write({ type: 'amended', at: runtime.now(), by: 'view', prompt: null, iterations });
  }
  return 'settled';
}

function render(open: OpenLoop, file: string, runtime: Runtime): void {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const { last } = readRenderings(open, 'progress');
  // Show an ending once. After that, the file may belong to another loop.
  if (hasEnded(loop) && last === renderProgress(loop, null)) return;
  let overtaken: Uint8Array | null = null;
  for (let tries = 0; tries < MAX_WRITE_TRIES; tries++) {
    const found = readRegular(path);
    if (found.is === 'unreadable') return reportViewError(loop, file, found.why, runtime);
    if (found.is === 'gone') {
      if (hasEnded(loop) || !existsSync(dirname(path))) return;
      if (makeViewFile(path, renderProgress(loop, null), loop.project)) return keepLines(open);
      continue;
    }
    const before = latin1(overtaken ?? found.bytes);
    if (readProgress(before, loop, last).is !== 'untouched')
      keepEvidence(open.blobs, `replaced-${LOOP_FILES.progress}`, Buffer.from(before, 'latin1'));
    const after = Buffer.from(renderProgress(loop, before), 'latin1');
    if (Buffer.compare(after, found.bytes) === 0) return keepLines(open);
    const swapped = swapViewFile(path, found.bytes, after);
    if (swapped.is === 'swapped') return keepLines(open);
    overtaken = swapped.is === 'overtaken' ? swapped.bytes : null;
  }
  reportViewError(loop, file, 'someone else writes it all the time', runtime);
}

/**
 * Keeps our lines only, not the agent's notes. Done after the file is written, or its old limit would look
 * like an edit.
 */
function keepLines(open: OpenLoop): void {
  keepRendering(open, 'progress', renderProgress(open.loop(), null), () => true);
}

/** One character per byte, whatever the encoding, so that the other bytes are written back unchanged. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
