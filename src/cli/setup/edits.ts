/** What `init` and `uninstall` change, as text or JSON. A dry run prints the same. */
import { existsSync } from 'node:fs';
import type { Edit, SettingsPlan } from '../../hosts/command-line.ts';
import { shownPath } from '../project.ts';
import { paint } from '../terminal/terminal.ts';

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
    ...(edits.length === 0 ? [] : ['', ...editLines(edits, dryRun)]),
    ...(dryRun ? [paint.bold('Nothing was changed.')] : []),
    ...notes.flatMap((note) => ['', `${paint.yellow('!')} ${note}`]),
  ];
}

function editLines(edits: readonly Edit[], withDiff: boolean): string[] {
  const width = Math.max(...edits.map(({ path }) => shownPath(path).length));
  return edits.flatMap((edit) => {
    const line =
      `  ${actionOf(edit).padEnd(7)}  ${shownPath(edit.path).padEnd(width)}  ${paint.dim(backupWord(edit))}`.trimEnd();
    return withDiff && edit.kind !== 'command'
      ? [line, ...diffLines(edit.before, edit.after).map(paintDiff), '']
      : [line];
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

const AROUND = 2;
/** For longer texts, the table of all pairs of lines would take too much memory. */
const MOST_LINES = 3_000;

type DiffLine = { readonly mark: ' ' | '-' | '+'; readonly text: string };

/** `-` marks removed lines, `+` added ones, with a few unchanged lines around them. */
function diffLines(before: string | null, after: string | null): string[] {
  const lines = compare(fileLines(before), fileLines(after));
  const changed = lines.flatMap(({ mark }, at) => (mark === ' ' ? [] : [at]));
  return lines.flatMap(({ mark, text }, at) => {
    const near = changed.some((other) => Math.abs(other - at) <= AROUND);
    return near ? [`${mark} ${text}`] : [];
  });
}

function fileLines(text: string | null): string[] {
  if (text === null || text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function compare(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length > MOST_LINES || b.length > MOST_LINES)
    return [
      ...a.map((text) => ({ mark: '-' as const, text })),
      ...b.map((text) => ({ mark: '+' as const, text })),
    ];
  const common = lengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ mark: ' ', text: left });
      i++;
      j++;
    } else if (
      left !== undefined &&
      (right === undefined || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))
    ) {
      lines.push({ mark: '-', text: left });
      i++;
    } else {
      lines.push({ mark: '+', text: right ?? '' });
      j++;
    }
  }
  return lines;
}

/** For each pair of positions, the length of the longest common subsequence of the lines from there on. */
function lengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i];
      if (row === undefined) continue;
      row[j] =
        a[i] === b[j] ? 1 + (table[i + 1]?.[j + 1] ?? 0) : Math.max(table[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}
