/** What the server tells the page, and the page the server. No code: the page runs in a browser. */
import type { LoopCard } from '../live/card.ts';
import type { ToldAct } from '../live/agent-log.ts';
import type { StoryIteration } from '../live/story.ts';

export type { CardGate, CardRequest as Request, LoopCard } from '../live/card.ts';
export type { StartForm } from './server/start-form.ts';
export type { ToldAct } from '../live/agent-log.ts';
export type { Evidence } from '../live/evidence.ts';
export type { Stats } from '../live/stats.ts';
export type { StoryCheck, StoryEntry, StoryIteration, StoryMoment, StoryPage } from '../live/story.ts';

/** In lower case, as Node shows headers. */
export const PASS_HEADER = 'x-dacapo-pass';

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

/** The event `all`, with which the stream begins. */
export interface Overview {
  readonly loops: readonly LoopCard[];
  /** Loops that can't be read, with the reason. */
  readonly unread: readonly { readonly id: string; readonly why: string }[];
  /** Folders in which the page may start a loop. */
  readonly projects: readonly string[];
  readonly permissionModes: readonly string[];
  readonly version: string;
}

/** The event `loops` of the stream. */
export interface LoopsChanged {
  readonly changed: readonly LoopCard[];
  readonly removed: readonly string[];
}

/** What a card leaves out. */
export interface LoopDetail {
  readonly id: string;
  /** The whole prompt. */
  readonly asked: string;
  /** What would end it, in words. Empty once it has ended. */
  readonly endsWhen: readonly string[];
  readonly protect: readonly string[];
  /** How the fresh driver runs it, in words; empty for a session. */
  readonly plan: readonly (readonly [string, string])[];
  /** The last iteration that was judged; null: none yet. */
  readonly last: StoryIteration | null;
  readonly evidence: readonly string[];
  readonly tested: readonly Tested[];
}

export interface Tested {
  readonly command: string;
  readonly says: string;
  /** Null: at a stop that ended no iteration. */
  readonly iteration: number | null;
}

/** The judged iterations from the place `from` of the story on. */
export interface Series {
  /** Ask again from this place: the entries before it change no more. */
  readonly next: number;
  readonly points: readonly SeriesPoint[];
}

export type SeriesPoint = Pick<StoryIteration, 'seq' | 'iteration' | 'ms' | 'used' | 'context' | 'features'>;

export interface AgentNews {
  readonly acts: readonly ToldAct[];
  /** Give it as `after` to get what comes next. */
  readonly next: number;
}

export interface FeatureRow {
  readonly id: string;
  readonly text: string;
  readonly passes: boolean;
  readonly isNext: boolean;
}

export interface Features {
  readonly file: string;
  readonly passing: number;
  readonly total: number;
  readonly rows: readonly FeatureRow[];
  readonly notes: readonly string[];
}

/** What came of an action. `card`: the loop as it is now. */
export interface Done {
  readonly says: string;
  readonly card: LoopCard | null;
}
