/** What `init` and `uninstall` change, as text or JSON. A dry run prints the same. */
import { existsSync } from 'node:fs';
import type { Edit, SettingsPlan } from '#hosts/port/command-line.ts';
import { shownPath } from '../context.ts';
import { paint, linesWhen } from '../terminal/terminal.ts';

export function planReport({ settings, edits, notes }: SettingsPlan): object {
  const reports = edits.map((edit) => ({
    path: edit.path,
    kind: edit.kind,
    action: actionOf(edit),
    ...(edit.kind === 'command' ? {} : { diff: diffLines(edit.before, edit.after) }),
  }));
  return { settings, edits: reports, notes };
}

export function planLines(head: string, { edits, notes }: SettingsPlan, dryRun: boolean): string[] {
  return [
    paint.bold(head),
    ...linesWhen(edits.length > 0, '', ...editLines(edits, dryRun)),
    ...linesWhen(dryRun, paint.bold('Nothing was changed.')),
    ...notes.flatMap((note) => ['', `${paint.yellow('!')} ${note}`]),
  ];
}

function editLines(edits: readonly Edit[], withDiff: boolean): string[] {
  const width = Math.max(...edits.map(({ path }) => shownPath(path).length));
  return edits.flatMap((edit) => {
    const path = shownPath(edit.path).padEnd(width);
    const line = `  ${actionOf(edit).padEnd(7)}  ${path}  ${paint.dim(backupWord(edit))}`.trimEnd();
    if (!withDiff || edit.kind === 'command') return [line];
    return [line, ...diffLines(edit.before, edit.after).map(paintDiff), ''];
  });
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

const CONTEXT_LINES = 2;
/** For longer texts, the table of all pairs of lines would take too much memory. */
const MAX_LINES_COMPARED = 3_000;

function diffLines(before: string | null, after: string | null): string[] {
  const lines = compare(fileLines(before), fileLines(after));
  const isChanged = (line: string) => !line.startsWith(' ');
  return lines.filter((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(isChanged),
  );
}

function fileLines(text: string | null): string[] {
  if (text === null || text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function compare(a: readonly string[], b: readonly string[]): string[] {
  const common = a.length > MAX_LINES_COMPARED || b.length > MAX_LINES_COMPARED ? [] : commonLengths(a, b);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isRemoved = j === b.length || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0);
    if (i < a.length && a[i] === b[j]) {
      lines.push(`  ${a[i++]}`);
      j++;
    } else if (i < a.length && isRemoved) lines.push(`- ${a[i++]}`);
    else lines.push(`+ ${b[j++]}`);
  }
  return lines;
}

/** For each pair of positions, the length of the longest common subsequence of the lines from there on. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table: number[][] = [];
  for (let i = a.length - 1; i >= 0; i--) {
    const below = table[i + 1] ?? [];
    const row: number[] = [];
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? 1 + (below[j + 1] ?? 0) : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    table[i] = row;
  }
  return table;
}
