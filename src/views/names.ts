/**
 * All files that Da Capo keeps in a project. Git's exclude file, the marks of the work tree, the guard and `dacapo doctor`
 * each derive from this table what they need. It holds data only, so that none of them loads a view for it.
 */
import { join } from 'node:path';
import type { ViewKind } from '../core/record/definition.ts';
import { MARKDOWN_FILES } from './markdown/names.ts';
import { STATE_FOLDER } from './state-folder.ts';
import { temporaryOf, type ProjectFile } from './view.ts';
import { PROGRESS_FILES } from './progress/names.ts';
import { STACK_FILES } from './stack/names.ts';
import { VAULT_FILES } from './vault/names.ts';
import { patternOf } from '../core/globs.ts';
import type { LoopPart } from '../core/loop.ts';
import type { MarkOptions } from '../git/marks/mark.ts';
import { REQUEST_FILES } from './requests/names.ts';

export const VIEW_FILES: Readonly<Record<ViewKind, readonly ProjectFile[]>> = {
  markdown: MARKDOWN_FILES,
  progress: PROGRESS_FILES,
  vault: VAULT_FILES,
  stack: STACK_FILES,
};

/** Notes of the agents of a run for each other. They are not part of the work. */
export const NOTES: ProjectFile = { use: 'aside', folder: STATE_FOLDER, name: 'ralph-notes.*.local.md' };

export function notesFileOf(id: string): string {
  return join(STATE_FOLDER, NOTES.name.replace('*', id));
}

export const STATE_FILES: readonly ProjectFile[] = Object.values(VIEW_FILES)
  .flat()
  .filter(({ use }) => use === 'state');

/** The names that belong to us: the file's own, and those of its unfinished copies. */
export function namesOf({ use, name }: ProjectFile): string[] {
  return [...(use === 'shared' ? [] : [name]), ...(use === 'aside' ? [] : [temporaryOf(name, '*')])];
}

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

/** What Da Capo itself writes into a project. It is not the agent's work, so no mark of the work tree counts it. */
export function ownFiles({
  files: { views },
}: LoopPart<'files', 'views'>): MarkOptions & { readonly ignored: readonly string[] } {
  // Files of any loop: the state of another loop is not work either.
  const anywhere = [...Object.values(VIEW_FILES).flat(), NOTES, ...REQUEST_FILES].flatMap((file) =>
    file.folder === null ? [] : namesOf(file).map((name) => `**/${file.folder}/${name}`),
  );
  const beside = views.flatMap(({ kind, file: view }) =>
    VIEW_FILES[kind].flatMap((file) => (file.folder === null ? [{ file, view }] : [])),
  );
  return {
    ignored: [
      ...anywhere,
      ...beside.flatMap(({ file, view }) =>
        namesOf(file).map((name) => patternOf(view).replace(/[^/\\]*$/, () => name)),
      ),
    ],
    withoutLines: beside.flatMap(({ file, view }) =>
      file.ownLines === undefined ? [] : [{ file: patternOf(view), lines: file.ownLines }],
    ),
  };
}
