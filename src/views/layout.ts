/** Makes a loop from the prompt and list of another tool if they say when it is done; otherwise tells the person what to type. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { refuse, type Refusal } from '../core/refusal.ts';
import { commandFor, findLayouts, type Layout } from '../lists/layouts.ts';
import { readRegular } from '../files/read.ts';
import { STATE_FILE } from './markdown/names.ts';
import type { Imported } from './imported.ts';
import type { Named } from './view.ts';

/** Null: there is no such layout. `here`: the person's folder. If the person named nothing, the path is the usual state file. */
export function importLayout(named: Named, here: string): Imported | Refusal | null {
  if (named.is === 'nothing' && !named.path.endsWith(join(sep, STATE_FILE))) return null;
  const roots = named.is === 'nothing' ? [realpathSync(here)] : above(named);
  for (const root of roots) {
    const found = findLayouts(root).filter((layout) => concerns(layout, root, named));
    const [only, ...others] = found;
    if (only === undefined || (named.is === 'folder' && isHalf(only))) continue;
    return others.length > 0 ? refuseSeveral(found, root) : importOne(only, root);
  }
  return null;
}

/** A folder may be the project, or one or two folders below it (`scripts/ralph`). The outermost comes first. */
function above({ path, is }: Named): string[] {
  const folder = is === 'file' ? dirname(path) : path;
  return [dirname(dirname(folder)), dirname(folder), folder];
}

/** In a folder that the person named, a list alone may be anything, for example a loop folder whose prompt is not yet written. */
function isHalf({ prompt, notes }: Layout): boolean {
  return prompt === null && notes === null;
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
  const { tool, prompt, list, flags } = layout;
  const { command, why } = commandFor(layout, root);
  const found = prompt === null ? null : readRegular(join(root, prompt));
  if (found?.is !== 'content' || found.content.trim() === '')
    return refuse(
      'no-prompt-file',
      `${join(root, prompt ?? list ?? '')} is there (${tool}), but no file holds the task for the agent.${why === null ? '' : ` And ${why}, so the agent has to say when it is done.`}`,
      `say the task yourself: ${command}`,
    );
  if (why !== null)
    return refuse(
      'no-list',
      `${why}, so it can't tell when the work is done.`,
      `let the agent say so: ${command}`,
    );
  return {
    ok: true,
    project: root,
    files: [...new Set([prompt, list])].filter((file) => file !== null),
    prompt: found.content.trim(),
    flags: [...(list === null ? [] : ['--features', list]), ...flags],
    imported: { passes: 0, copies: [{ name: `adopted-${basename(prompt ?? '')}`, bytes: found.bytes }] },
    session: null,
    known: null,
    isOurs: false,
    notes: [`These files (${tool}) are made for a new agent in each pass. This does the same: ${command}`],
  };
}
