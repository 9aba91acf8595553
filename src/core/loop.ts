/** A loop as its journal tells it. Everything here is derived by `fold`; nothing here is stored as truth. */
import type { By, CheckProof, Driver, Escalation, Gate, Mode, Verdict } from './events.ts';
import type { FeaturesProof } from './features.ts';
import type { MovedBaseline } from './moved.ts';
import type { Sight } from './sights.ts';

export interface Loop {
  readonly id: string;
  readonly project: string;
  readonly host: string;
  readonly name: string | null;
  readonly driver: Driver;
  /** The outermost frame first. A plain loop has one. */
  readonly frames: readonly [Frame, ...Frame[]];
  readonly timeMs: number | null;
  readonly staleMs: number;
  /** Patterns of files that stay as they are; none: nothing is protected. */
  readonly protect: readonly string[];
  /** The digest of what they were: when the loop began, or when a person last accepted a change. */
  readonly baseline: string | null;
  /** The digest of what an unknown hand has made of them, last. */
  readonly slipped: string | null;
  readonly status: Status;
  readonly owner: Owner | null;
  /** Its session is named, but has not taken it up yet: `dacapo start`, `adopt` and `resume` leave it so. */
  readonly awaited: boolean;
  /** The delivery that made the loop: a second delivery of the same start is recognised by it. */
  readonly origin: { readonly session: string | null; readonly prompt: string | null };
  /** The prompt whose chain of stops the loop rides on; null while it waits for the next prompt to carry it on. */
  readonly chain: string | null;
  /** Stops claimed so far: the next claim is for `stops + 1`. */
  readonly stops: number;
  readonly open: Claim | null;
  readonly answered: readonly Answered[];
  readonly last: LastHearing | null;
  /** A continue that no later event of the chain has confirmed; `capped`: the host may well have overridden it. */
  readonly unconfirmed: { readonly capped: boolean } | null;
  /** Continues in a row without a sign of tool use: what the host's cap counts. */
  readonly streak: number;
  readonly cap: number | null;
  readonly hold: Hold | null;
  /** Background shells that have held the loop once already. */
  readonly shellsHeld: readonly string[];
  /** A stop was allowed for the sake of the person's queue: the next prompt is theirs, and the loop goes on after it. */
  readonly yielded: boolean;
  /** The context was compacted since the prompt was last given whole. */
  readonly compacted: boolean;
  readonly queue: { readonly offset: number; readonly waiting: number };
  /** The last stop after which the session had to be woken, and who did it. */
  readonly woken: { readonly n: number; readonly process: number } | null;
  /** The markdown view's file, as seen from the project. */
  readonly view: string | null;
  readonly clock: { readonly workedMs: number; readonly since: string | null };
  /** What renderings carried, newest last: an edit is told from an old rendering by these. */
  readonly revisions: readonly Revision[];
  readonly startedAt: string;
  /** When its owner took it, last. */
  readonly boundAt: string;
  readonly updatedAt: string;
  /** The last sign of life before the stop at hand: what staleness is measured from. */
  readonly activeAt: string;
  /** How many events were folded in; it numbers the renderings of the views. */
  readonly events: number;
}

export interface Frame {
  readonly mode: Mode;
  readonly prompt: string;
  readonly gates: readonly Gate[];
  readonly require: 'all' | 'any';
  readonly atLeast: number;
  readonly iterations: number | null;
  /** Passes that have ended. The open pass is iteration `passes + 1`. */
  readonly passes: number;
  /** Items of its feature list that passed when its last pass ended, or when it began. */
  readonly itemsPassing: number;
}

export interface Owner {
  readonly session: string;
  readonly process: number | null;
}

/** What makes a stop the same stop, and who is hearing it. */
export interface Claim {
  readonly n: number;
  readonly session: string;
  readonly prompt: string | null;
  readonly words: string;
  readonly process: number;
  readonly started: string;
}

export interface Answered {
  readonly session: string;
  readonly prompt: string | null;
  readonly words: string;
  readonly at: string;
}

export interface LastHearing {
  readonly n: number;
  readonly at: string;
  readonly iteration: number;
  readonly verdict: Verdict;
  readonly proofs: readonly CheckProof[];
  readonly sights: readonly Sight[];
  readonly features: FeaturesProof | null;
}

/** Background work is waited for, from the first stop that had to wait. */
export interface Hold {
  readonly until: string;
}

export interface Revision {
  readonly from: number;
  readonly prompt: string;
  readonly iterations: number | null;
}

export type Status =
  | { readonly is: 'pending' }
  | { readonly is: 'running' }
  | { readonly is: 'waiting'; readonly for: 'background' }
  | { readonly is: 'paused'; readonly by: By; readonly why: 'command' | 'prompt' | 'clear' | 'capped' }
  /** `gone`: never recorded, only seen by whoever looks whether the owner's process is alive. */
  | {
      readonly is: 'interrupted';
      readonly why: 'session-end' | 'fault' | 'capped' | 'gone';
      readonly detail: string;
    }
  | Ending;

export type Ending =
  | { readonly is: 'completed' }
  | { readonly is: 'exhausted'; readonly limit: 'iterations' | 'time' }
  | { readonly is: 'stuck'; readonly limit: 'staleness' }
  | { readonly is: 'escalated'; readonly why: Escalation }
  | { readonly is: 'cancelled'; readonly by: By; readonly prompt: string | null }
  | {
      readonly is: 'aborted';
      readonly why: 'view' | 'journal';
      readonly detail: string;
      readonly evidence: string | null;
    };

export type StatusWord = Status['is'];

/** The frame at work: the innermost. */
export function topFrame(loop: Loop): Frame {
  return loop.frames.at(-1) ?? loop.frames[0];
}

export function withTop(loop: Loop, frame: Frame): Loop['frames'] {
  const [outermost, ...inner] = loop.frames;
  return inner.length === 0 ? [frame] : [outermost, ...inner.slice(0, -1), frame];
}

export function isLive(loop: Loop): boolean {
  return loop.status.is === 'running' || loop.status.is === 'waiting';
}

function isEnding(status: Status): status is Ending {
  switch (status.is) {
    case 'pending':
    case 'running':
    case 'waiting':
    case 'paused':
    case 'interrupted':
      return false;
    case 'completed':
    case 'exhausted':
    case 'stuck':
    case 'escalated':
    case 'cancelled':
    case 'aborted':
      return true;
  }
}

export function hasEnded(loop: Loop): boolean {
  return isEnding(loop.status);
}

export function promiseOf(frame: Frame): string | null {
  for (const gate of frame.gates) if (gate.kind === 'promise') return gate.text;
  return null;
}

export type FeaturesGate = Extract<Gate, { kind: 'features' }>;

export function featuresOf({ gates }: Pick<Frame, 'gates'>): FeaturesGate | null {
  return gates.find((gate) => gate.kind === 'features') ?? null;
}

export function movedBaselineOf(frame: Frame): MovedBaseline | null {
  for (const gate of frame.gates) if (gate.kind === 'moved') return gate.baseline;
  return null;
}

/** Whether one gate of several is enough. */
export function hasChoice({ require, gates }: Frame): boolean {
  return require === 'any' && gates.length > 1;
}

export type CheckGate = Extract<Gate, { kind: 'check' }>;

export function checksOf(frame: Frame): CheckGate[] {
  return frame.gates.filter((gate) => gate.kind === 'check');
}

/** Working time: what passed while the loop was live. Waiting for a person is not work. */
export function workedMs(loop: Loop, now: string): number {
  const open = loop.clock.since === null ? 0 : Date.parse(now) - Date.parse(loop.clock.since);
  return loop.clock.workedMs + Math.max(0, open);
}
