/**
 * What the stream of a headless pass shows, in our words, and what of it is kept. A host's stream reader gives
 * `StreamEvent`s; a driver folds them into a `PassRecord`, which the host's `classify` then judges.
 */

/** What only a person can mend. */
export type FatalKind = 'auth' | 'billing' | 'model' | 'permission' | 'config';

/** What the stream shows, as it comes. */
export type StreamEvent =
  | {
      readonly is: 'init';
      readonly session: string | null;
      readonly model: string | null;
      readonly version: string | null;
      readonly permissionMode: string | null;
      /** How much the context of that model holds; null: nobody knows. */
      readonly window: number | null;
    }
  /** The agent's own words, as they are. Blocks of one message carry its id. */
  | { readonly is: 'text'; readonly message: string | null; readonly text: string }
  /** `summary`: its input in one line. */
  | { readonly is: 'tool'; readonly id: string; readonly name: string; readonly summary: string }
  /** `text`: what it printed, its beginning and its end where that is long; `lines`: of how many lines all of it is. */
  | {
      readonly is: 'tool-outcome';
      readonly id: string;
      readonly failed: boolean;
      readonly text: string;
      readonly lines: number;
    }
  /** The host refused a tool because nobody could be asked. */
  | { readonly is: 'denied'; readonly tool: string; readonly why: string }
  /** A hook refused it: ours, or another's. */
  | { readonly is: 'refused'; readonly id: string }
  /** What a subagent does: a word of its own, so that its words are never taken for the agent's. */
  | { readonly is: 'subagent'; readonly of: string; readonly event: StreamEvent }
  | {
      readonly is: 'retry';
      readonly attempt: number;
      readonly most: number | null;
      readonly delayMs: number | null;
      readonly status: number | null;
      readonly why: string | null;
      /** What another try does not mend; null: it may pass. */
      readonly hopeless: FatalKind | null;
    }
  | { readonly is: 'fallback'; readonly model: string | null; readonly why: string | null }
  | RateLimit
  /** `tokens`: what the last request of the main chain held. */
  | { readonly is: 'context'; readonly tokens: number; readonly window: number | null }
  /** What one message has used so far, reckoned from list prices; the host's own figure comes with the result. */
  | { readonly is: 'usage'; readonly message: string; readonly spent: Spent }
  | { readonly is: 'compacted'; readonly from: number | null; readonly to: number | null }
  | Fault
  | Result
  /** A line that is none of the host's: a warning of a wrapper, half a line. */
  | { readonly is: 'noise'; readonly text: string }
  | { readonly is: 'other' };

export interface RateLimit {
  readonly is: 'rate-limit';
  readonly status: 'allowed' | 'warning' | 'rejected';
  /** An instant, ISO 8601. */
  readonly resetsAt: string | null;
  /** Which of the account's limits; null: none of them, the server is only busy. */
  readonly kind: string | null;
}

/** What stands in the place of an answer when the model could not be asked. */
export interface Fault {
  readonly is: 'fault';
  /** The host's own word for what went wrong. */
  readonly word: string | null;
  /** The API's word for it. */
  readonly type: string | null;
  /** A word for the cases that the host tells apart further. */
  readonly code: string | null;
  readonly status: number | null;
  readonly text: string;
}

/** The host's own account of a turn. A process may give several. */
export interface Result {
  readonly is: 'result';
  readonly failed: boolean;
  /** Why it ended, in the host's word. */
  readonly reason: string | null;
  readonly subtype: string | null;
  readonly status: number | null;
  readonly type: string | null;
  readonly code: string | null;
  /** Of the whole session so far: where it was resumed, also of the passes before. */
  readonly total: Spent;
  /** Since the result before, or since the process began; null where the host does not tell. */
  readonly since: Spent | null;
  readonly window: number | null;
  readonly turns: number;
  readonly denied: readonly Denial[];
  readonly error: string | null;
}

export interface Spent {
  readonly costUsd: number | null;
  readonly tokens: Tokens;
}

export interface Reckoned extends Spent {
  readonly message: string;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface Denial {
  /** Of the tool's use. */
  readonly id: string;
  readonly tool: string;
  readonly summary: string;
}

/** What the stream of one pass has told, in a bounded size. */
export interface PassRecord {
  readonly session: string | null;
  readonly model: string | null;
  readonly version: string | null;
  readonly permissionMode: string | null;
  /** The text of the last message. */
  readonly message: string;
  readonly messageId: string | null;
  readonly toolUsed: boolean;
  readonly context: { readonly tokens: number; readonly window: number | null } | null;
  readonly compactions: number;
  readonly retries: number;
  readonly limit: RateLimit | null;
  readonly fault: Fault | null;
  readonly result: Result | null;
  /** Uses of tools that a hook refused; the last of them. */
  readonly refused: readonly string[];
  /** Denied in this pass because nobody could be asked; the first few. */
  readonly denied: readonly Denial[];
  readonly spent: Spent | null;
  /** Since the last result, reckoned message by message; `last` may still grow. */
  readonly reckoned: { readonly before: Spent; readonly last: Reckoned | null };
  readonly turns: number;
  readonly noise: string | null;
}
