/** What the report says in every format. In its sentences, backticks stand around code. */
import { duration, few, plural } from '#law/words/phrases.ts';
import { markHolds, type HoldsMark } from '../gate-status.ts';
import { clockTime } from '../time.ts';
import { sayCostFigure, sayCount } from '#law/words/figures.ts';
import { commitWords, rowsOf } from '../story/rows.ts';
import type { ChangedFiles, LoopReport, ReportCheck, ReportEntry, ReportIteration } from './report-model.ts';

/** As many as a reader can take in, of one iteration and of the loop. */
const [MAX_FILES_OF_ITERATION, MAX_FILES_OF_LOOP] = [12, 500];

const asCode = (file: string) => `\`${file}\``;

export function reportWords(report: LoopReport) {
  const { loop, missing, files } = report;
  return {
    title: loop.task === '' ? `Loop ${loop.id}` : loop.task,
    ending: `Loop ${loop.id} ${loop.says}.`,
    facts: factsOf(report),
    missing: loop.status === 'completed' ? [] : missing,
    filesBy: sayFilesBy(files),
    files: few(files?.files ?? [], asCode, MAX_FILES_OF_LOOP),
  };
}

export function iterationWords(entry: ReportIteration) {
  const { title, item, claimed } = entry;
  return {
    heading: item === null ? title : `${title}: ${item}`,
    claim: `The agent ${claimed ?? 'stopped'}.`,
    rows: rowsOf(entry).map(({ is, holds, words, check }) => ({
      mark: is === 'missing' ? '→' : markHolds(holds),
      words: is === 'missing' ? `missing: ${words}` : words,
      check,
    })) satisfies ReportRow[],
    notes: notesOf(entry),
  };
}

/** What is not known is left out. */
function factsOf({ loop, figures }: LoopReport): (readonly [name: string, value: string])[] {
  const { iterations, claims, refused } = figures;
  const { isCounted, maxCostUsd, tokens, features } = loop;
  const limit = loop.iterations === null ? '' : ` of at most ${loop.iterations}`;
  const facts: (readonly [name: string, value: string | null])[] = [
    ['Iterations', `${iterations}${loop.item === null ? limit : ''}`],
    ['Claims', claims === 0 ? 'none' : `${plural(claims, 'claim')} to be done, ${refused} refused`],
    ['Time', `${duration(loop.workedMs)} of work, ${duration(loop.waitedMs)} of waiting`],
    ['Cost', isCounted ? sayCostFigure(loop, maxCostUsd) : 'not counted'],
    ['Tokens', tokens > 0 ? sayCount(tokens) : null],
    ['Features', features && `${features.passing} of ${features.total} pass`],
    ['Driver', loop.driver === 'fresh' ? 'dacapo run' : `a session of ${loop.host}`],
    ['Model', loop.model],
    ['Started', clockTime(loop.startedAt)],
    [loop.endedAt === null ? 'Last event' : 'Ended', clockTime(loop.endedAt ?? loop.updatedAt)],
    ['Project', loop.project],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

const FILES: Readonly<Record<ChangedFiles['which'], string>> = {
  loop: "changed by the loop's own agents",
  meanwhile: 'changed while the loop ran',
  since: 'changed since the loop began, by the loop or by others',
};

function sayFilesBy(files: LoopReport['files']): string {
  if (files === null) return 'Not known: no mark of the work tree was taken.';
  if (files.files.length === 0) return 'None.';
  return `${plural(files.files.length, 'file')} ${FILES[files.which]}.`;
}

export interface ReportRow {
  readonly mark: HoldsMark | '→';
  readonly words: string;
  readonly check: ReportCheck | null;
}

function notesOf(entry: ReportIteration): string[] {
  const { verdict, files } = entry;
  const committed = commitWords(entry, '`');
  const changed = few(files ?? [], asCode, MAX_FILES_OF_ITERATION);
  return [
    verdict && `${verdict.rule.says} (rule ${verdict.rule.number}, ${verdict.rule.name})`,
    changed.length === 0 ? null : `Changed: ${changed.join(', ')}`,
    committed && `Work ${committed}`,
  ].filter((note) => note !== null);
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
  return (
    `${plural(count, 'entry').replace(/entrys$/, 'entries')} of the story in between left out here. ` +
    'dacapo logs shows them all.'
  );
}
