/** A stop: the agent's attempt to end an iteration, with its evidence, as a host's adapter reads it. */
import type { Context, Used } from './record/events.ts';
import type { CheckProof } from './record/verdict.ts';
import type { FeaturesProof } from './record/features.ts';
import type { Claim, Answered } from './loop.ts';
import type { Sight } from './record/sights.ts';

export interface Stop {
  readonly session: string;
  /** The id of the prompt that began this chain of stops, where the host tells it. */
  readonly prompt: string | null;
  /** The agent's final message; empty when the host gives none. */
  readonly message: string;
  readonly background: readonly BackgroundTask[];
  /** What a person typed that waits in the host's queue, and how far the transcript was read to know it. */
  readonly queue: { readonly offset: number; readonly waiting: number };
  /** A tool call was seen since the last stop. False is no proof of none: transcripts lag. */
  readonly toolUsed: boolean;
  /** Since the stop before, subagents included; null where nobody has counted. */
  readonly used: Used | null;
  readonly context: Context | null;
  /** The host ends a turn after this many continues in a row without a tool call; null: it never does. */
  readonly cap: number | null;
  /** A person can wake the session. Where nobody can, an allowed stop with a shell behind it hangs. */
  readonly attended: boolean;
}

export interface BackgroundTask {
  readonly id: string;
  readonly kind: 'agent' | 'shell';
  readonly description: string;
}

/** What was seen when the gates were tested. */
export interface Proofs {
  /** Null: the message holds no tag of ours. */
  readonly said: Said | null;
  readonly checks: readonly CheckProof[];
  /** None of a gate: the loop has no such gate, or the stop was decided before it was looked at. */
  readonly sights: readonly Sight[];
  /** What the list held, where the loop has one: its next item is for the agent. */
  readonly features: FeaturesProof | null;
}

/** What the tags of the agent's final message mean for the frame at work, read where they are found (`promise.ts`). */
export interface Said {
  /** The promise was given, or a signal that stands for it. */
  readonly kept: boolean;
  /** The usual promise was given, where the frame asks for none: stop hooks know it. */
  readonly usual: boolean;
  /** Together with its opposite. */
  readonly contradicted: boolean;
  /** What came near and did not count, and what would: words to the agent. */
  readonly near: string | null;
  readonly distress: Distress | null;
}

/** How the agent ends a frame undone: it needs a person, or says that a limit is reached. */
export interface Distress {
  readonly is: 'blocked' | 'escalate' | 'stuck' | 'iterations' | 'items';
  /** The agent's reason, empty when it gave none. Bounded. */
  readonly words: string;
}

/** Exactly once: the same session, prompt and words, from a process that began before the first was answered. */
export function isSameStop(
  a: {
    readonly session: string;
    readonly prompt: string | null;
    readonly words: string;
    readonly started: string;
  },
  b: Claim | Answered,
): boolean {
  if (a.session !== b.session || a.prompt !== b.prompt || a.words !== b.words) return false;
  return !('at' in b) || Date.parse(a.started) < Date.parse(b.at);
}
