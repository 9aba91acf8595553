/** Imports a loop that another tool or a person began. The first format that recognises the file reads it. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { refuse, type Refusal } from '#base/refusal.ts';
import type { Runtime } from '#store/runtime.ts';
import { readRegular } from '#base/files/read.ts';
import { commandFor, findLayouts, type Layout } from '../lists/layouts.ts';
import { existsAt } from './file.ts';
import { FOREIGN_STATE, type Imported } from './imported.ts';
import { LOOP_FILES, STACK_TOPIC, STATE, STATE_FILE } from './places.ts';
import { STATE_FOLDER } from './state-folder.ts';
import { VIEWS } from './registry.ts';
import type { Named } from './view.ts';

/** The markdown view accepts any file, so the more specific formats come first. */
const IMPORTERS = [VIEWS.progress, VIEWS.stack, VIEWS.vault, VIEWS.markdown].map((view) => view.import);

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

function inProject(folder: string, runtime: Runtime): Imported | Refusal {
  const project = basename(folder) === STATE_FOLDER ? dirname(folder) : folder;
  const found = IMPORTERS.filter(({ place }) => existsAt(join(project, place)));
  const [only, ...others] = found;
  if (only === undefined)
    return refuse(
      'no-loop',
      `${folder} holds no loop that is known here.`,
      `name a folder with ${LOOP_FILES.features} and ${LOOP_FILES.prompt}, a vault with ${STATE}, a ` +
        `state file, or ${STACK_TOPIC}.`,
    );
  if (others.length > 0)
    return refuse(
      'several-loops',
      `${folder} holds several: ${found.map(({ place }) => place).join(', ')}.`,
      `name one: dacapo adopt ${only.place}`,
    );
  return only.from(join(project, only.place), project, runtime);
}

/**
 * Makes a loop from the prompt and list of another tool if they say when it is done; otherwise tells the
 * person what to type. Null: there is no such layout. If the person named nothing, the path is the usual
 * state file.
 */
function importLayout(named: Named, here: string): Imported | Refusal | null {
  if (named.is === 'nothing' && !named.path.endsWith(join(sep, STATE_FILE))) return null;
  const roots = named.is === 'nothing' ? [realpathSync(here)] : above(named);
  for (const root of roots) {
    const found = findLayouts(root).filter((layout) => concerns(layout, root, named));
    const [only, ...others] = found;
    // In a folder that the person named, a list alone may be anything, for example a loop folder whose prompt
    // is missing.
    const isHalf = named.is === 'folder' && only?.prompt === null && only.notes === null;
    if (only === undefined || isHalf) continue;
    return others.length > 0 ? refuseSeveral(found, root) : importOne(only, root);
  }
  return null;
}

/**
 * A folder may be the project, or one or two folders below it (`scripts/ralph`). The outermost comes first.
 */
function above({ path, is }: Named): string[] {
  const folder = is === 'file' ? dirname(path) : path;
  return [dirname(dirname(folder)), dirname(folder), folder];
}

function concerns({ prompt, list }: Layout, root: string, { path, is }: Named): boolean {
  if (is === 'nothing' || path === root) return true;
  return [prompt, list].some(
    (file) => file !== null && (join(root, file) === path || join(root, file).startsWith(path + sep)),
  );
}

function refuseSeveral(found: readonly Layout[], root: string): Refusal {
  const tools = found.map(
    ({ tool, prompt, list }) => `${tool} (${[prompt, list].filter(Boolean).join(', ')})`,
  );
  return refuse(
    'several-loops',
    `${root} holds the files of several: ${tools.join('; ')}.`,
    `run one of them: ${found.map((layout) => commandFor(layout, root).command).join('  or  ')}`,
  );
}

function importOne(layout: Layout, root: string): Imported | Refusal {
  const { tool, prompt, list, settings } = layout;
  const { command, why } = commandFor(layout, root);
  const found = prompt === null ? null : readRegular(join(root, prompt));
  if (found?.is !== 'content' || found.content.trim() === '')
    return refuse(
      'no-prompt-file',
      `${join(root, prompt ?? list ?? '')} is there (${tool}), but no file holds the task for the ` +
        `agent.${why === null ? '' : ` And ${why}, so the agent has to say when it is done.`}`,
      `say the task yourself: ${command}`,
    );
  if (why !== null)
    return refuse(
      'no-list',
      `${why}, so it can't tell when the work is done.`,
      `let the agent say so: ${command}`,
    );
  return {
    ...FOREIGN_STATE,
    project: root,
    files: [...new Set([prompt, list])].filter((file) => file !== null),
    prompt: found.content.trim(),
    fields: { ...(list !== null && { features: list }), ...settings },
    imported: { passes: 0, copies: [{ name: `adopted-${basename(prompt ?? '')}`, bytes: found.bytes }] },
    notes: [`These files (${tool}) are made for a new agent in each pass. This does the same: ${command}`],
  };
}
