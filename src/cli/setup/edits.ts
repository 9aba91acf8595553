/** Prints the edits of `init` and `uninstall` as text or JSON. A dry run prints the same list. */
import { existsSync } from 'node:fs';
import type { Edit } from '../../hosts/command-line.ts';
import { diffLines } from './diff.ts';
import { shownPath } from '../project.ts';
import { paint } from '../terminal/terminal.ts';

export function editLines(edits: readonly Edit[], withDiff: boolean): string[] {
  const width = Math.max(0, ...edits.map(({ path }) => shownPath(path).length));
  return edits.flatMap((edit) => {
    const line =
      `  ${actionOf(edit).padEnd(7)}  ${shownPath(edit.path).padEnd(width)}  ${paint.dim(backupWord(edit))}`.trimEnd();
    return withDiff && edit.kind !== 'command'
      ? [line, ...diffLines(edit.before, edit.after).map(paintDiff), '']
      : [line];
  });
}

export function editReports(edits: readonly Edit[]): object[] {
  return edits.map((edit) => ({
    path: edit.path,
    kind: edit.kind,
    action: actionOf(edit),
    ...(edit.kind === 'command' ? {} : { diff: diffLines(edit.before, edit.after) }),
  }));
}

function actionOf({ before, after }: Edit): 'new' | 'changed' | 'removed' {
  if (after === null) return 'removed';
  return before === null ? 'new' : 'changed';
}

function backupWord({ before, backup }: Edit): string {
  if (backup === null || before === null || !existsSync(backup)) return '';
  return `the file before Da Capo: ${shownPath(backup)}`;
}

function paintDiff(line: string): string {
  const colour = line.startsWith('+') ? paint.green : line.startsWith('-') ? paint.red : paint.dim;
  return `    ${colour(line)}`;
}
