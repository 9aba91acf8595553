/**
 * All files that Da Capo keeps in a project. Git's exclude file, the marks of the work tree, the guard and
 * `dacapo doctor` each derive from this table what they need. It holds data only, so that none of them loads
 * a view for it.
 */
import { join } from 'node:path';
import type { ViewKind } from '#law/record/definition.ts';
import { patternForName } from '#base/globs.ts';
import type { LoopPart } from '#law/loop.ts';
import { APPROVED, HISTORY, LOOP_FILES, PENDING, REJECTED, STATE } from './places.ts';
import { temporaryOf } from './file.ts';
import { STATE_FOLDER } from './state-folder.ts';

export interface ProjectFile {
  /**
   * - `state`: only Da Capo writes it. The agent may not, git does not show it, no mark of the work tree
   *   counts it.
   * - `shared`: the agent's own file, of which some lines are ours. Only those lines are not counted as work.
   * - `aside`: a log or notes. Git does not show it, no mark counts it, and the agent may write it.
   */
  readonly use: 'state' | 'shared' | 'aside';
  /** The name of its folder; null: the folder of the loop's own view, wherever the person put that. */
  readonly folder: string | null;
  /** `*` stands for what differs between loops. */
  readonly name: string;
  readonly ownLines?: RegExp;
}

export const VIEW_FILES: Readonly<Record<ViewKind, readonly ProjectFile[]>> = {
  markdown: [{ use: 'state', folder: STATE_FOLDER, name: 'ralph-loop*.local.md' }],
  // Without the feature list and the prompt: those belong to the project, and many people commit them.
  progress: [
    {
      use: 'shared',
      folder: null,
      name: LOOP_FILES.progress,
      ownLines: /\b(?:Status|Iteration|Max Iterations):/,
    },
    { use: 'aside', folder: null, name: `${LOOP_FILES.log}*` },
  ],
  vault: [
    { use: 'state', folder: STATE, name: 'RALPH_*.json' },
    { use: 'state', folder: HISTORY, name: 'RALPH_*.json' },
  ],
  stack: [{ use: 'state', folder: STATE_FOLDER, name: 'idle-loop*.local.md' }],
};

export const REQUEST_FILES: readonly ProjectFile[] = [PENDING, APPROVED, REJECTED].map((folder) => ({
  use: 'state',
  folder,
  name: 'ask-*.md',
}));

/** Notes of the agents of a run for each other. They are not part of the work. */
export const NOTES: ProjectFile = { use: 'aside', folder: STATE_FOLDER, name: 'ralph-notes.*.local.md' };

export function notesFileOf(id: string): string {
  return join(STATE_FOLDER, NOTES.name.replace('*', id));
}

const FILES_OF_VIEWS = Object.values(VIEW_FILES).flat();
export const ALL_FILES = [...FILES_OF_VIEWS, NOTES, ...REQUEST_FILES];
export const STATE_FILES = FILES_OF_VIEWS.filter(({ use }) => use === 'state');

/** The names that belong to us: the file's own, and those of its unfinished copies. */
export function fileNamesOf({ use, name }: ProjectFile): string[] {
  return [...(use === 'shared' ? [] : [name]), ...(use === 'aside' ? [] : [temporaryOf(name, '*')])];
}

/** In every folder of a project: the state of another loop is not work either. */
const OWN_ANYWHERE = ALL_FILES.flatMap((file) =>
  file.folder === null ? [] : fileNamesOf(file).map((name) => `**/${file.folder}/${name}`),
);

/** A name as an expression; `any` is what a `*` may stand for. */
export function sourceOf(name: string, any: string): string {
  return name
    .split('*')
    .map((part) => part.replace(/[$()+.?[\\\]^{|}]/g, '\\$&'))
    .join(any);
}

export function isStateFile(kind: ViewKind, name: string): boolean {
  return VIEW_FILES[kind].some(
    (file) => file.use === 'state' && new RegExp(`^${sourceOf(file.name, '.*')}$`, 's').test(name),
  );
}

/** Which process was writing a state file under this name; null: it is not an unfinished state file. */
export function writerOf(name: string): number | null {
  for (const file of STATE_FILES) {
    const unfinished = new RegExp(`^${sourceOf(`.${file.name}.`, '.*')}(\\d+)\\.tmp$`, 's');
    const writer = unfinished.exec(name)?.[1];
    if (writer !== undefined) return Number(writer);
  }
  return null;
}

/**
 * What Da Capo itself writes into a project. It is not the agent's work, so no mark of the work tree counts
 * it.
 */
export function ownFiles({ files: { views } }: LoopPart<'files', 'views'>) {
  const beside = views.flatMap(({ kind, file: view }) =>
    VIEW_FILES[kind].flatMap((file) => (file.folder === null ? [{ file, view }] : [])),
  );
  return {
    ignored: [
      ...OWN_ANYWHERE,
      ...beside.flatMap(({ file, view }) =>
        fileNamesOf(file).map((name) => patternForName(view).replace(/[^/\\]*$/, () => name)),
      ),
    ],
    withoutLines: beside.flatMap(({ file, view }) =>
      file.ownLines === undefined ? [] : [{ file: patternForName(view), lines: file.ownLines }],
    ),
  };
}
