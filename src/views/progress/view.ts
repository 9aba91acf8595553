/**
 * `progress.txt`, which is the agent's own file: three lines of it are ours, and every other byte stays, also
 * where the agent writes it in the same moment. Gone, it is made anew as long as its folder stands.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { hasEnded } from '../../core/loop.ts';
import { keepCopy, keepRendering, renderingsOf } from '../renderings.ts';
import type { OpenLoop } from '../../store/open-loop.ts';
import { liesStill, makeViewFile, readViewFile } from '../file.ts';
import { readProgress, renderProgress } from './format.ts';
import { LOOP_FILES, LOOP_FOLDER, PROGRESS_FILES } from './names.ts';
import { swapViewFile } from '../swap.ts';
import { importProgress, isLoopFile, isLoopFolder } from './import.ts';
import type { Places } from '../imported.ts';
import type { Settled, View } from '../view.ts';
import type { Runtime } from '../../store/runtime.ts';

/** Each time someone else was faster. An agent writes now and then, and no writer is faster five times in a row. */
const TRIES = 5;

export const progressView: View = {
  kind: 'progress',
  files: PROGRESS_FILES,
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

/** As seen from the project where it lies there. */
export function progressFile(
  project: string,
  { loopFolder }: Pick<Places, 'loopFolder'>,
  world: Runtime,
): string {
  const folder = loopFolder ?? (world.env['RALPH_LOOP_DIR'] || LOOP_FOLDER);
  const path = resolve(project, folder, LOOP_FILES.progress);
  const near = relative(project, path);
  return near === '..' || near.startsWith(`..${sep}`) || isAbsolute(near) ? path : near;
}

function make(open: OpenLoop, places: Places, world: Runtime): string {
  const { project } = open.loop();
  const file = progressFile(project, places, world);
  const path = resolve(project, file);
  mkdirSync(dirname(path), { recursive: true });
  render(open, file, world);
  return file;
}

function read(open: OpenLoop, file: string, world: Runtime): Settled {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const found = readViewFile(path);
  if (found.is !== 'content') return 'settled';
  const { last } = renderingsOf(open, 'progress');
  const reading = readProgress(latin1(found.bytes), loop, last);
  if (reading.is === 'untouched') return 'settled';
  if (!liesStill(path, found, Date.parse(world.now()))) return 'unsettled';
  // An agent may garble a line of its own notes: that says nothing, and the line is written anew.
  if (reading.is === 'edited') {
    const { iterations } = reading;
    open.write({ type: 'amended', at: world.now(), by: 'view', prompt: null, iterations });
  }
  return 'settled';
}

function render(open: OpenLoop, file: string, world: Runtime): void {
  const loop = open.loop();
  const path = resolve(loop.project, file);
  const { last } = renderingsOf(open, 'progress');
  // An ending is shown once: by the next time the file may be another loop's.
  if (hasEnded(loop) && last === renderProgress(loop, null)) return;
  let overtaken: Uint8Array | null = null;
  for (let tries = 0; tries < TRIES; tries++) {
    const found = readViewFile(path);
    if (found.is === 'unreadable') return unshown(found.why);
    if (found.is === 'gone') {
      if (hasEnded(loop) || !existsSync(dirname(path))) return;
      if (makeViewFile(path, renderProgress(loop, null))) return keepLines(open);
      continue;
    }
    const before = latin1(overtaken ?? found.bytes);
    if (readProgress(before, loop, last).is !== 'untouched')
      keepCopy(open, `replaced-${LOOP_FILES.progress}`, Buffer.from(before, 'latin1'));
    const after = Buffer.from(renderProgress(loop, before), 'latin1');
    if (Buffer.compare(after, found.bytes) === 0) return keepLines(open);
    const swapped = swapViewFile(path, found.bytes, after);
    if (swapped.is === 'swapped') return keepLines(open);
    overtaken = swapped.is === 'overtaken' ? swapped.bytes : null;
  }
  unshown('someone else writes it all the time');

  function unshown(why: string): void {
    world.log(`loop=${loop.id} ${file}: ${why}`);
    world.unshown?.(file, why);
  }
}

/** What is kept are our lines, and not the agent's notes; after the file, as an old limit there would be taken for an edit. */
function keepLines(open: OpenLoop): void {
  keepRendering(open, 'progress', renderProgress(open.loop(), null), () => true);
}

/** One character for a byte, whatever the encoding: what is not ours goes back as it was. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
