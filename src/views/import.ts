/** Imports a loop that another tool or a person began. The first format that recognises the file reads it. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { refuse, type Refusal } from '../core/refusal.ts';
import type { Runtime } from '../store/runtime.ts';
import { existsAt } from './file.ts';
import type { Imported } from './imported.ts';
import { STATE_FOLDER } from './state-folder.ts';
import { importLayout } from './layout.ts';
import { LOOP_FILES } from './progress/names.ts';
import { VIEWS } from './registry.ts';
import { STACK_TOPIC } from './stack/names.ts';
import { STATE } from './vault/names.ts';
import type { Named } from './view.ts';

/** The markdown view accepts any file, so the more specific formats come first. */
const IMPORTERS = [VIEWS.progress, VIEWS.stack, VIEWS.vault, VIEWS.markdown].map((view) => view.import);

/** `here`: the folder that the person is in. */
export function importLoop(path: string, here: string, runtime: Runtime): Imported | Refusal {
  const named = lookAt(path);
  const importer = IMPORTERS.find(({ knows }) => knows(named));
  const imported =
    importer === undefined ? inProject(named.path, runtime) : importer.from(named.path, here, runtime);
  if (imported.ok || !NO_STATE.includes(imported.code)) return imported;
  return importLayout(named, here) ?? imported;
}

/** There is no state of a loop. There may be files of a tool that keeps no state. */
const NO_STATE: readonly string[] = ['no-loop', 'no-prompt-file', 'no-state', 'not-there'];

/** Resolves links in the folders above, but not the file itself. */
function lookAt(path: string): Named {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { path: realpathSync(path), is: 'folder' };
  if (!stat?.isFile()) return { path, is: 'nothing' };
  return { path: join(realpathSync(dirname(path)), basename(path)), is: 'file' };
}

/** For the folder of a project: the states in the usual places. */
function inProject(folder: string, runtime: Runtime): Imported | Refusal {
  const project = basename(folder) === STATE_FOLDER ? dirname(folder) : folder;
  const found = IMPORTERS.filter(({ place }) => existsAt(join(project, place)));
  const [only, ...others] = found;
  if (only === undefined)
    return refuse(
      'no-loop',
      `${folder} holds no loop that is known here.`,
      `name a folder with ${LOOP_FILES.features} and ${LOOP_FILES.prompt}, a vault with ${STATE}, a state file, or ${STACK_TOPIC}.`,
    );
  if (others.length > 0)
    return refuse(
      'several-loops',
      `${folder} holds several: ${found.map(({ place }) => place).join(', ')}.`,
      `name one: dacapo adopt ${only.place}`,
    );
  return only.from(join(project, only.place), project, runtime);
}
