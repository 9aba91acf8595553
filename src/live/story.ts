/**
 * The story of a loop: its iterations in order, each with what was claimed, what was proven and how it was judged, and
 * what happened between them.
 */
import type { StatusWord } from '../core/loop.ts';
import type { Context, Event, Used } from '../core/record/events.ts';
import type { CheckOutcome, Verdict, GateResult } from '../core/record/verdict.ts';
import type { Tone } from '../text/event.ts';
import type { RuleOfLaw } from '../text/rules.ts';

/** `seq`: the place in the story, from 0. An entry keeps its place; an iteration changes until it is judged. */
export type StoryEntry = StoryIteration | StoryMoment;

export function isIteration(entry: StoryEntry): entry is StoryIteration {
  return entry.is === 'iteration';
}

export interface StoryIteration {
  readonly is: 'iteration';
  readonly seq: number;
  readonly stop: number;
  /** `Iteration 3`, or `Stop 5` for a stop that ended none. */
  readonly title: string;
  /** How it was judged, in two words. */
  readonly word: string;
  readonly tone: Tone;
  readonly ms: number;
  /** Null: the stop ended no iteration. It was let through, lost, or came after the ending. */
  readonly iteration: number | null;
  /** Its number over all frames of the loop together. */
  readonly inAll: number | null;
  /** The title of its item, in a loop that works through a list. */
  readonly item: string | null;
  readonly beganAt: string;
  readonly stoppedAt: string;
  readonly judgedAt: string | null;
  readonly session: string;
  readonly model: string | null;
  readonly claim: Claim;
  /** What the agent said when it stopped, in one line; null: nothing but a tag of ours. */
  readonly said: string | null;
  readonly checks: readonly StoryCheck[];
  /** What else was looked at: lists, files, stop hooks. */
  readonly sights: readonly Pick<GateResult, 'gate' | 'holds' | 'says'>[];
  readonly features: { readonly passing: number; readonly total: number } | null;
  readonly hooks: readonly string[];
  readonly verdict: StoryVerdict | null;
  readonly toolUsed: boolean;
  readonly used: Used | null;
  readonly context: Context | null;
  /** The mark of the work tree, if one was taken. */
  readonly tree: string | null;
  readonly commit: { readonly id: string; readonly onBranch: boolean } | null;
}

/** What the agent claimed when it stopped. `item`: it marked an item of the list as passing. */
export type Claim = 'done' | 'item' | 'blocked' | 'asked' | 'stuck' | 'none';

export interface StoryCheck {
  readonly name: string | null;
  readonly command: string;
  readonly is: CheckOutcome['is'];
  readonly says: string;
  readonly ms: number;
  /** The beginning of what failed. The evidence has all of it. */
  readonly tail: string;
  /** A name for `evidenceNamed`; null: nothing was kept. */
  readonly evidence: string | null;
}

export interface StoryVerdict {
  readonly is: Verdict['is'];
  readonly rule: RuleOfLaw;
  readonly says: string;
  readonly reasons: readonly string[];
  /** Set if the loop was paused or had ended before: then the verdict counts for nothing. */
  readonly isVoid: boolean;
}

export interface StoryMoment {
  readonly is: 'moment';
  readonly seq: number;
  readonly at: string;
  readonly type: Event['type'];
  readonly says: string;
  readonly tone: Tone;
  readonly evidence: string | null;
}

/** What was missing, without the checks whose results are shown anyway. */
export function reasonsOf({ verdict, checks }: Pick<StoryIteration, 'verdict' | 'checks'>): string[] {
  const reasons = verdict?.reasons ?? [];
  return reasons.filter((reason) => checks.length === 0 || !reason.startsWith('check '));
}

export interface StoryPage {
  readonly id: string;
  readonly status: StatusWord;
  readonly entries: readonly StoryEntry[];
  readonly total: number;
}

export interface PageOrder {
  /** Only entries before this place; without it, the last ones. */
  readonly before?: number | undefined;
  readonly from?: number | undefined;
  /** Only entries around this iteration. */
  readonly iteration?: number | undefined;
  readonly most?: number | undefined;
}

const USUAL_PAGE = 50;
const LONGEST_PAGE = 500;

export function pageOf(
  entries: readonly StoryEntry[],
  { before, from, iteration, most = USUAL_PAGE }: PageOrder,
): readonly StoryEntry[] {
  const count = Math.min(LONGEST_PAGE, Math.max(1, most));
  if (iteration !== undefined) {
    const at = entries.findIndex((entry) => entry.is === 'iteration' && (entry.iteration ?? 0) >= iteration);
    const first = Math.max(0, (at < 0 ? entries.length : at) - Math.floor(count / 2));
    return entries.slice(first, first + count);
  }
  if (from !== undefined) return entries.slice(Math.max(0, from), Math.max(0, from) + count);
  const end = before === undefined ? entries.length : Math.min(entries.length, Math.max(0, before));
  return entries.slice(Math.max(0, end - count), end);
}
