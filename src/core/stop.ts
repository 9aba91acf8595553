/** A stop: the agent's attempt to end an iteration, with its evidence, as a host's adapter reads it. */
import type { Context, Used } from './record/events.ts';
import type { CheckProof, GateResult, Trend } from './record/verdict.ts';
import type { FeaturesProof } from './record/definition.ts';

export interface Stop {
  readonly session: string;
  /** The id of the prompt that began this chain of stops, if the host gives one. */
  readonly prompt: string | null;
  /**
   * The host's own "a stop hook continued this turn". Within a turn it never goes back, so it says nothing about one stop:
   * it counts only where the host names no prompts.
   */
  readonly continuedByHook: boolean;
  /** The agent's final message; empty if the host gives none. */
  readonly message: string;
  readonly background: readonly BackgroundTask[];
  /** How many typed messages wait in the host's queue, and up to where the transcript was read to find out. */
  readonly queue: { readonly offset: number; readonly waiting: number };
  /** Whether a tool call was seen since the last stop. False proves nothing: transcripts lag. */
  readonly toolUsed: boolean;
  /** Since the previous stop, subagents included; null if not counted. */
  readonly used: Used | null;
  /** As of the last message that could be read. */
  readonly context: Context | null;
  /** The host ends a turn after this many continues in a row; null: never. */
  readonly cap: number | null;
  /** Whether a tool call starts that count again. */
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

/** What was seen when the gates were tested. */
export interface Proofs {
  /** Null: the message holds none of our tags. */
  readonly said: Said | null;
  readonly checks: readonly CheckProof[];
  /** A gate has no sight if the loop has no such gate, or if the stop was decided before the gate was looked at. */
  readonly sights: readonly GateResult[];
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

/** How the agent ends a frame undone: it needs a person, or it says that a limit is reached. A question only waits. */
export interface Distress {
  readonly is: 'blocked' | 'escalate' | 'stuck' | 'iterations' | 'items' | 'question';
  /** The agent's reason; empty if it gave none. Bounded. */
  readonly words: string;
}
