/**
 * What the stream of a headless pass shows, in our terms, and what we keep of it. A host's stream reader
 * gives `StreamEvent`s; a driver folds them into a `PassRecord`, which the host's `classify` then judges.
 */
import { record, whole, type Infer } from '#base/shape.ts';
import type { UsageWindow } from '#law/record/usage-window.ts';

/** Faults that only a person can fix. */
export type FatalKind = 'auth' | 'billing' | 'model' | 'permission' | 'config';

export type StreamEvent =
  | (Init & { readonly is: 'init'; readonly window: number | null })
  /** The agent's text, unchanged. Blocks of one message carry its id. */
  | { readonly is: 'text'; readonly message: string | null; readonly text: string }
  /** `summary`: its input in one line. */
  | { readonly is: 'tool'; readonly id: string; readonly name: string; readonly summary: string }
  /**
   * `text`: its output, or the beginning and end of a long one; `lines`: the number of lines of the whole.
   */
  | {
      readonly is: 'tool-outcome';
      readonly id: string;
      readonly failed: boolean;
      readonly text: string;
      readonly lines: number;
    }
  /** The host denied a tool call because no person was there to answer. */
  | { readonly is: 'denied'; readonly tool: string; readonly why: string }
  /** A hook refused the tool call: ours, or another. */
  | { readonly is: 'refused'; readonly id: string }
  /** The call waits for a person, who is asked under this id until then. The pass goes on with the answer. */
  | { readonly is: 'asks'; readonly request: string; readonly until: string; readonly text: string }
  | { readonly is: 'answered'; readonly why: string }
  /** An event of a subagent, wrapped so that its text is never taken for the agent's. */
  | { readonly is: 'subagent'; readonly of: string; readonly event: StreamEvent }
  | {
      readonly is: 'retry';
      readonly attempt: number;
      readonly most: number | null;
      readonly delayMs: number | null;
      readonly status: number | null;
      readonly why: string | null;
      /** The kind of fault if no retry can fix it; null: a retry may succeed. */
      readonly hopeless: FatalKind | null;
    }
  | { readonly is: 'fallback'; readonly model: string | null; readonly why: string | null }
  | RateLimit
  /** `tokens`: the size of the last request of the main chain. */
  | { readonly is: 'context'; readonly tokens: number; readonly window: number | null }
  /** What one message has used so far, at list prices; the host's own figure comes with the result. */
  | { readonly is: 'usage'; readonly message: string; readonly spent: Spent }
  | { readonly is: 'compacted'; readonly from: number | null; readonly to: number | null }
  | HostFault
  | Result
  /** A line that is not from the host: a warning of a wrapper, half a line. */
  | { readonly is: 'noise'; readonly text: string }
  | { readonly is: 'other' };

interface Init {
  readonly session: string | null;
  readonly model: string | null;
  readonly version: string | null;
  readonly permissionMode: string | null;
}

export interface RateLimit {
  readonly is: 'rate-limit';
  readonly status: 'allowed' | 'warning' | 'rejected';
  /** An instant, ISO 8601. */
  readonly resetsAt: string | null;
  /** The name of the account's limit; null: the server is only busy. */
  readonly kind: string | null;
  /** How much of the account's windows is used, where the host tells it. */
  readonly windows?: readonly UsageWindow[];
}

/**
 * What the host reports in place of an answer when its request to the model failed. `word`: the host's own;
 * `type`: the API's; `code`: the host's more detailed one.
 */
export interface HostFault {
  readonly is: 'fault';
  readonly word: string | null;
  readonly type: string | null;
  readonly code: string | null;
  readonly status: number | null;
  readonly text: string;
}

/** The host's own report of a turn. A process may give several. */
export interface Result extends Pick<HostFault, 'status' | 'type' | 'code'> {
  readonly is: 'result';
  readonly failed: boolean;
  readonly reason: string | null;
  readonly subtype: string | null;
  /**
   * For the whole session so far, including earlier passes if it was resumed; null: its messages have told it
   * (`usage`).
   */
  readonly total: Spent | null;
  /** Since the previous result or the start of the process; null if the host does not report it. */
  readonly since: Spent | null;
  readonly window: number | null;
  readonly turns: number;
  readonly denied: readonly Denial[];
  readonly error: string | null;
}

export interface Spent {
  readonly costUsd: number | null;
  readonly tokens: Tokens;
  /**
   * The cost is an estimate of ours: at the price of the model, or of the dearest one. Absent: the host told
   * it.
   */
  readonly estimate?: 'priced' | 'dearest';
}

export const tokensShape = record({ input: whole, output: whole, cacheRead: whole, cacheWrite: whole });
export type Tokens = Infer<typeof tokensShape>;

export function combined(a: Tokens, b: Tokens, by: (one: number, other: number) => number): Tokens {
  return {
    input: by(a.input, b.input),
    output: by(a.output, b.output),
    cacheRead: by(a.cacheRead, b.cacheRead),
    cacheWrite: by(a.cacheWrite, b.cacheWrite),
  };
}

export function sumOf({ input, output, cacheRead, cacheWrite }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}

export interface Denial {
  readonly id: string;
  readonly tool: string;
  readonly summary: string;
}

/** The folded stream of one pass, of bounded size. */
export interface PassRecord extends Init {
  readonly message: string;
  readonly messageId: string | null;
  readonly toolUsed: boolean;
  readonly context: { readonly tokens: number; readonly window: number | null } | null;
  readonly compactions: number;
  readonly retries: number;
  readonly limit: RateLimit | null;
  /** As the stream last told them. */
  readonly windows: readonly UsageWindow[];
  readonly fault: HostFault | null;
  readonly result: Result | null;
  /** Tool calls that a hook refused; the last ones only. */
  readonly refused: readonly string[];
  /** Tool calls of this pass that were denied because no person could answer; the first few. */
  readonly denied: readonly Denial[];
  readonly spent: Spent | null;
  /** Since the last result, added up message by message; `last` may still grow. */
  readonly reckoned: { readonly before: Spent; readonly last: (Spent & { readonly message: string }) | null };
  readonly turns: number;
  readonly noise: string | null;
}
