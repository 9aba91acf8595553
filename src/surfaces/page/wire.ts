/** What the server tells the page, and the page the server. No code: the page runs in a browser. */
import type { Refusal } from '#base/refusal.ts';
import type { LoopCard } from '#telling/story/card.ts';

export type { CardGate, CardRequest as Request, LoopCard } from '#telling/story/card.ts';
export type { AgentNews, Features, LoopDetail, Series, CheckResult as Tested } from './server/readings.ts';
export type { StartForm } from './server/start-form.ts';
export type { ToldAct } from '#engine/look/agent-log.ts';
export type { Evidence } from '#engine/look/evidence.ts';
export type { Stats } from '#telling/story/stats.ts';
export type { StoryCheck, StoryEntry, StoryIteration, StoryMoment } from '#telling/story/story.ts';
export type { StoryPage } from '#engine/look/fold-story.ts';

/** In lower case, as Node shows headers. */
export const PASS_HEADER = 'x-dacapo-pass';

export type Failure = Pick<Refusal, 'message' | 'next'>;

/** The event `all`, with which the stream begins. */
export interface Overview {
  readonly loops: readonly LoopCard[];
  readonly unread: readonly { readonly id: string; readonly why: string }[];
  /** Folders in which the page may start a loop. */
  readonly projects: readonly string[];
  readonly permissionModes: readonly string[];
  /** The fleet whose loops these are; null: they are of this machine. */
  readonly fleet: string | null;
}

/** The event `loops` of the stream. */
export interface LoopsChanged {
  readonly changed: readonly LoopCard[];
  readonly removed: readonly string[];
}

export interface ActionDone {
  readonly says: string;
  readonly card: LoopCard | null;
}
