/** What Da Capo itself writes into a project. It is not the agent's work, so no mark of the work tree counts it. */
import { patternOf } from '../core/globs.ts';
import type { Loop } from '../core/loop.ts';
import type { MarkOptions } from '../git/marks/mark.ts';
import { NOTES, VIEW_FILES, namesOf } from './names.ts';
import { REQUEST_FILES } from './requests/names.ts';

/** Files of any loop: the state of another loop is no work either. */
const ANYWHERE = [...Object.values(VIEW_FILES).flat(), NOTES, ...REQUEST_FILES].flatMap((file) =>
  file.folder === null ? [] : namesOf(file).map((name) => `**/${file.folder}/${name}`),
);

export function ownFiles({
  views,
}: Pick<Loop, 'views'>): MarkOptions & { readonly ignored: readonly string[] } {
  const beside = views.flatMap(({ kind, file: view }) =>
    VIEW_FILES[kind].flatMap((file) => (file.folder === null ? [{ file, view }] : [])),
  );
  return {
    ignored: [
      ...ANYWHERE,
      ...beside.flatMap(({ file, view }) =>
        namesOf(file).map((name) => patternOf(view).replace(/[^/\\]*$/, () => name)),
      ),
    ],
    withoutLines: beside.flatMap(({ file, view }) =>
      file.ownLines === undefined ? [] : [{ file: patternOf(view), lines: file.ownLines }],
    ),
  };
}
