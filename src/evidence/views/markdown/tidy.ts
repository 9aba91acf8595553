/**
 * What killed processes have left of ours in a project: half-written views, and views of loops that have
 * ended, as we wrote them. What a person has changed stays.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded } from '#law/loop.ts';
import { namesIn } from '#base/files/paths.ts';
import { readRegular } from '#base/files/read.ts';
import type { Runtime } from '#store/runtime.ts';
import { isRendering, namedIn } from './format.ts';
import { markdownView } from './view.ts';
import { isStateFile, writerOf } from '../names.ts';
import { STATE_FOLDER } from '../state-folder.ts';

/** Nothing that it can't do is worth an error: `dacapo doctor` names what is left. */
export function tidyProject(project: string, runtime: Runtime): void {
  for (const name of namesIn(join(project, STATE_FOLDER)))
    try {
      tidy(project, join(STATE_FOLDER, name), name, runtime);
    } catch (error) {
      runtime.log(`${join(project, STATE_FOLDER, name)} was not removed: ${String(error)}`);
    }
}

function tidy(project: string, file: string, name: string, runtime: Runtime): void {
  const path = join(project, file);
  const writer = writerOf(name);
  if (writer !== null && !runtime.isAlive(writer)) rmSync(path, { force: true });
  if (!isStateFile('markdown', name)) return;
  const found = readRegular(path);
  const id = found.is === 'content' ? namedIn(found.content).loop : null;
  if (found.is !== 'content' || id === null || !isRendering(found.content, { id })) return;
  const open = runtime.store.open(id);
  if (open === null) return;
  try {
    const loop = open.look();
    if (hasEnded(loop) && loop.project === project) markdownView.render(open, file, runtime);
  } finally {
    open.close();
  }
}
