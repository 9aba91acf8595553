/** What the report says in every format. */
import { duration, plural } from '../../core/words/phrases.ts';
import { clockTime } from '../../text/time.ts';
import { sayCount, sayUsd } from '../../core/words/figures.ts';
import type { LoopCard } from '../card.ts';
import type { ChangedFiles } from '../files-changed.ts';
import type { Claim } from '../story.ts';
import type { LoopReport, ReportIteration } from './report.ts';

const FILES_NAMED = 12;

export function headlineOf({ task, id }: LoopCard): string {
  return task === '' ? `Loop ${id}` : task;
}

/** A sentence: the status in words. */
export function sayEnd({ id, says }: LoopCard): string {
  return `Loop ${id} ${says}.`;
}

/** What was missing, without the checks whose results are shown anyway. */
export function reasonsOf({ verdict, checks }: Pick<ReportIteration, 'verdict' | 'checks'>): string[] {
  const reasons = verdict?.reasons ?? [];
  return checks.length === 0 ? [...reasons] : reasons.filter((reason) => !reason.startsWith('check '));
}

export type Fact = readonly [name: string, value: string];

export function factsOf({ loop, figures }: LoopReport): Fact[] {
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

function costOf({ isCounted, costUsd, maxCostUsd, tokens }: LoopCard): Fact[] {
  if (!isCounted) return [['Cost', 'not counted']];
  return [
    ['Cost', `${sayUsd(costUsd)}${maxCostUsd === null ? '' : ` of ${sayUsd(maxCostUsd)}`}`],
    ['Tokens', sayCount(tokens)],
  ];
}

const CLAIMS: Readonly<Record<Claim, string>> = {
  done: 'The agent said that it is done.',
  item: 'The agent marked an item as passing.',
  blocked: 'The agent said that it is blocked.',
  asked: 'The agent asked for a person.',
  stuck: 'The agent said that it is stuck.',
  none: 'The agent stopped.',
};

export function sayClaim(claim: Claim): string {
  return CLAIMS[claim];
}

const FILES: Readonly<Record<ChangedFiles['which'], string>> = {
  loop: "changed by the loop's own agents",
  meanwhile: 'changed while the loop ran',
  since: 'changed since the loop began, by the loop or by others',
};

/** In two words. A claim that a gate contradicted stands out from a pass that only ended. */
export function sayVerdictOf({ verdict, claim }: Pick<ReportIteration, 'verdict' | 'claim'>): string {
  if (verdict === null) return 'not judged';
  return verdict.is === 'continue' && claim === 'done' ? 'claim refused' : verdict.is;
}

export function sayFilesBy(files: LoopReport['files']): string {
  if (files === null) return 'Not known: no mark of the work tree was taken.';
  if (files.files.length === 0) return 'None.';
  return `${plural(files.files.length, 'file')} ${FILES[files.which]}.`;
}

/** What one iteration changed. Empty: nothing is known of it. */
export function sayFilesOf({ files }: Pick<ReportIteration, 'files'>): readonly string[] {
  const more = (files?.length ?? 0) - FILES_NAMED;
  return [...(files ?? []).slice(0, FILES_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
}

export function sayLeftOut(count: number): string {
  return `${plural(count, 'entry').replace(/entrys$/, 'entries')} of the story in between left out here. dacapo logs shows them all.`;
}
