/**
 * A stop: the agent's attempt to end an iteration, as a host's adapter reads it, and everything the law looks
 * at to judge it.
 */
import type { Context, Used } from './record/events.ts';
import type { CheckProof, Escalation, GateResult, Missing, Trend } from './record/verdict.ts';
import type { FeaturesProof } from './record/definition.ts';

export interface Stop {
  readonly session: string;
  /** The id of the prompt that began this chain of stops, if the host gives one. */
  readonly prompt: string | null;
  /**
   * The host's own "a stop hook continued this turn". Within a turn it never goes back, so it says nothing
   * about one stop: it counts only where the host names no prompts.
   */
  readonly continuedByHook: boolean;
  /** The agent's final message; empty if the host gives none. */
  readonly message: string;
  readonly background: readonly BackgroundTask[];
  /**
   * How many typed messages wait in the host's queue, and up to where the transcript was read to find out.
   */
  readonly queue: { readonly offset: number; readonly waiting: number };
  /** Whether a tool call was seen since the last stop. False proves nothing: transcripts lag. */
  readonly toolUsed: boolean;
  /** Since the previous stop, subagents included; null if not counted. */
  readonly used: Used | null;
  /** As of the last message that could be read. */
  readonly context: Context | null;
  /** The host ends a turn after this many continues in a row; null: never. */
  readonly cap: number | null;
  readonly toolResetsCap: boolean;
  /** Whether a person can wake the session. Without one, an allowed stop with a background shell hangs. */
  readonly attended: boolean;
}

export interface BackgroundTask {
  readonly id: string;
  readonly kind: 'agent' | 'shell';
  readonly description: string;
  /** When the host wakes the session for it, if it is a wake-up at a set time. */
  readonly due?: string;
}

export interface Proofs {
  /** Null: the message holds none of our tags. */
  readonly said: Said | null;
  readonly checks: readonly CheckProof[];
  /**
   * A gate has no result if the loop has no such gate, or if the stop was decided before the gate was looked
   * at.
   */
  readonly gateResults: readonly GateResult[];
  /** The content of the feature list, if the loop has one. Its next item goes to the agent. */
  readonly features: FeaturesProof | null;
  readonly trend?: Trend;
}

/** What the tags in the agent's final message mean for the frame at work. `promise.ts` reads them. */
export interface Said {
  /** The promise was given, or a signal that replaces it. */
  readonly kept: boolean;
  /** The usual promise was given although the frame requires none. Stop hooks know it. */
  readonly usual: boolean;
  /** The promise was given together with its opposite. */
  readonly contradicted: boolean;
  /** A near miss and what would have counted, in words for the agent. */
  readonly near: string | null;
  readonly distress: Distress | null;
}

/**
 * How the agent ends a frame undone: it needs a person, or it says that a limit is reached. Three of them
 * only wait for a person.
 */
export interface Distress {
  readonly is:
    | 'blocked'
    | 'escalate'
    | 'stuck'
    | 'iterations'
    | 'items'
    | 'question'
    | 'unverifiable'
    /** The task itself asks for other tests than those of the start. */
    | 'tests_changed';
  /** The agent's reason; empty if it gave none. Bounded. */
  readonly words: string;
}

export interface Standing {
  /** The gates hold: all of them, or any one where the definition says so. */
  readonly holds: boolean;
  /** The gates hold, and the required minimum of passes is over. */
  readonly done: boolean;
  readonly missing: readonly Missing[];
  /** A proof that could not be taken, or a veto. */
  readonly trouble: Escalation | null;
  /** Why only a person can say whether the frame is done. */
  readonly doubt: string | null;
  /** The agent claims to be done, or an item to pass: worth running the checks for. */
  readonly claimed: boolean;
}

export interface Facts {
  readonly stop: Stop;
  readonly proofs: Proofs;
  readonly standing: Standing;
  /** The mark of the work tree; null if none was wanted or none could be taken. */
  readonly tree: string | null;
  /** Stops in a row, including this one, that showed the same result. */
  readonly stalls: number;
  /** The gates hold although no work was done (`news.ts`). */
  readonly unchanged: boolean;
}
