/** What a report of a loop says, as data: the pages in HTML and Markdown are made of it. */
import type { LoopCard } from '../story/card.ts';
import type { StoryCheck, StoryIteration, StoryMoment } from '../story/story.ts';
import type { Tally } from '../story/tally.ts';

export interface LoopReport {
  readonly madeAt: string;
  readonly loop: LoopCard;
  readonly asked: string;
  /** In words, as the loop was when it was asked about. */
  readonly doneWhen: string;
  readonly limits: string;
  readonly story: readonly ReportEntry[];
  /** How many entries in the middle the story leaves out. */
  readonly leftOut: number;
  readonly missing: readonly string[];
  readonly files: Pick<ChangedFiles, 'files' | 'which'> | null;
  readonly figures: Tally;
}

export type ReportEntry = ReportIteration | StoryMoment;

export type ReportIteration = Omit<StoryIteration, 'checks'> & {
  readonly checks: ReportCheck[];
  readonly files: readonly string[] | null;
};

export type ReportCheck = StoryCheck & { readonly output: string };

export interface ChangedFiles {
  readonly files: readonly string[];
  /** By the number of the iteration over the whole loop; empty where that is not known. */
  readonly byIteration: ReadonlyMap<number, readonly string[]>;
  /**
   * `loop`: what the loop's own agents changed. `meanwhile`: what changed from the beginning of the loop to
   * its last mark. `since`: what differs now from the beginning, whoever changed it.
   */
  readonly which: 'loop' | 'meanwhile' | 'since';
}
