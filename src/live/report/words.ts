/** What the report says in every format. */
import { duration, plural, sayCheck } from '../../core/words/phrases.ts';
import { clockTime } from '../../text/time.ts';
import { sayCount, sayUsd } from '../../core/words/figures.ts';
import type { LoopCard } from '../card.ts';
import type { ChangedFiles } from '../files-changed.ts';
import { reasonsOf } from '../story.ts';
import type { LoopReport, ReportCheck, ReportEntry, ReportIteration } from './report.ts';

const FILES_NAMED = 12;

export function headlineOf({ task, id }: LoopCard): string {
  return task === '' ? `Loop ${id}` : task;
}

export function sayEnd({ id, says }: LoopCard): string {
  return `Loop ${id} ${says}.`;
}

export type ReportFact = readonly [name: string, value: string];

export function factsOf({ loop, figures }: LoopReport): ReportFact[] {
  const { iterations, claims, refused } = figures;
  const limit = loop.iterations === null ? '' : ` of at most ${loop.iterations}`;
  return [
    ['Iterations', `${iterations}${loop.item === null ? limit : ''}`],
    ['Claims', claims === 0 ? 'none' : `${plural(claims, 'claim')} to be done, ${refused} refused`],
    ['Time', `${duration(loop.workedMs)} of work, ${duration(loop.waitedMs)} of waiting`],
    ...costOf(loop),
    ...(loop.features === null
      ? []
      : [['Features', `${loop.features.passing} of ${loop.features.total} pass`] as const]),
    ['Driver', loop.driver === 'fresh' ? 'dacapo run' : `a session of ${loop.host}`],
    ...(loop.model === null ? [] : [['Model', loop.model] as const]),
    ['Started', clockTime(loop.startedAt)],
    [loop.endedAt === null ? 'Last event' : 'Ended', clockTime(loop.endedAt ?? loop.updatedAt)],
    ['Project', loop.project],
  ];
}

function costOf({ isCounted, costUsd, maxCostUsd, tokens }: LoopCard): ReportFact[] {
  if (!isCounted) return [['Cost', 'not counted']];
  return [
    ['Cost', `${sayUsd(costUsd)}${maxCostUsd === null ? '' : ` of ${sayUsd(maxCostUsd)}`}`],
    ['Tokens', sayCount(tokens)],
  ];
}

const FILES: Readonly<Record<ChangedFiles['which'], string>> = {
  loop: "changed by the loop's own agents",
  meanwhile: 'changed while the loop ran',
  since: 'changed since the loop began, by the loop or by others',
};

export function sayFilesBy(files: LoopReport['files']): string {
  if (files === null) return 'Not known: no mark of the work tree was taken.';
  if (files.files.length === 0) return 'None.';
  return `${plural(files.files.length, 'file')} ${FILES[files.which]}.`;
}

/** Files by name, as many as a reader can take in. */
export function namedFiles(files: readonly string[], most: number): string[] {
  const more = files.length - most;
  return [...files.slice(0, most).map((file) => `\`${file}\``), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** What was seen at a stop. In its words, and in those below, backticks stand around code. */
export interface ReportRow {
  readonly mark: '✓' | '✗' | '·' | '→';
  readonly words: string;
  readonly check?: ReportCheck;
}

export function rowsOf(entry: ReportIteration): ReportRow[] {
  const mark = (holds: boolean | null) => (holds === null ? '·' : holds ? '✓' : '✗');
  const words = (check: ReportCheck) => `${sayCheck(check)} ${check.says} (${duration(check.ms)})`;
  return [
    ...entry.checks.map((check) => ({ mark: mark(check.holds), words: words(check), check }) as const),
    ...entry.sights.map(({ holds, says }) => ({ mark: mark(holds), words: says }) as const),
    ...entry.hooks.map((hook) => ({ mark: '·', words: `stop hook ${hook}` }) as const),
    ...reasonsOf(entry).map((reason) => ({ mark: '→', words: `missing: ${reason}` }) as const),
  ];
}

export function notesOf({ verdict, files, commit }: ReportIteration): string[] {
  const changed = namedFiles(files ?? [], FILES_NAMED);
  return [
    ...(verdict === null ? [] : [`${verdict.rule.says} (rule ${verdict.rule.number}, ${verdict.rule.name})`]),
    ...(changed.length === 0 ? [] : [`Changed: ${changed.join(', ')}`]),
    ...(commit === null
      ? []
      : [`Work ${commit.onBranch ? 'committed' : 'kept'} as \`${commit.id.slice(0, 12)}\``]),
  ];
}

export function sayClaim({ claimed }: ReportIteration): string {
  return `The agent ${claimed ?? 'stopped'}.`;
}

export function headingOf({ title, item }: ReportIteration): string {
  return item === null ? title : `${title}: ${item}`;
}

export function storyParts(
  { story, leftOut }: LoopReport,
  tell: (entry: ReportEntry) => string,
  tellGap: (words: string) => string,
): string[] {
  return story.flatMap((entry, at) => {
    const isGap = leftOut > 0 && at > 0 && entry.seq > (story[at - 1]?.seq ?? 0) + 1;
    return [...(isGap ? [tellGap(sayLeftOut(leftOut))] : []), tell(entry)];
  });
}

function sayLeftOut(count: number): string {
  return `${plural(count, 'entry').replace(/entrys$/, 'entries')} of the story in between left out here. dacapo logs shows them all.`;
}
